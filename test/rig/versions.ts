/** A version of VS Code: the code-server that contains it, and the Node that it runs on. */
export interface VsCodeVersion {
  readonly codeServer: string;
  readonly node: string;
  /** Whether it needs a switch to accept a test suite in its address. */
  readonly needsDriver: boolean;
  /**
   * Native packages of it, the one that writes its log files among them. They are compiled if possible; it runs without
   * them as well.
   */
  readonly compiled: readonly string[];
  /** Replacements of its dependencies that make it start with nothing compiled. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** The pinned versions of everything that the rig installs from npm besides package.json. */
export const versions = {
  /** VS Code 1.139.1. */
  newest: {
    codeServer: '4.139.1',
    node: '24.21.0',
    needsDriver: true,
    compiled: ['@vscode/spdlog', '@vscode/native-watchdog'],
  },
  /** VS Code 1.100.3: the lowest that the manifest's `engines` allow. */
  oldest: {
    codeServer: '4.100.3',
    node: '20.20.2',
    needsDriver: false,
    compiled: [],
    // The original version has no binaries in its package. The rig hashes no password.
    overrides: { argon2: '0.44.0' },
  },
  /** EXEC_SESSIONS_CODEX names another one, such as 0.169.0, for a run. */
  codex: process.env['EXEC_SESSIONS_CODEX'] ?? '0.171.0',
  /** Claude Code. */
  claude: '2.1.332',
  /** Gemini CLI. */
  gemini: '0.61.0',
  copilot: '1.0.102',
  opencode: '1.18.33',
  /** Qwen Code. */
  qwen: '0.24.4',
  /** The official conformance suite of MCP. */
  conformance: '0.1.16',
  /** The first that also has scenarios for tasks is not released yet. */
  conformanceOfTasks: '0.2.0-alpha.12',
  nodes: { node20: '20.20.2', node22: '22.23.3', node24: '24.21.0' },
  nodeForWindows: '22.23.3',
  nodeForArm64: '22.23.3',
} as const;
