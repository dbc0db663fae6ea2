/** A VS Code, as the code-server that has it, and the Node that it runs on. */
export interface VsCodeVersion {
  readonly codeServer: string;
  readonly node: string;
  /** Whether it has to be told that a test suite may be passed in its address. */
  readonly needsDriver: boolean;
  /** Parts of it that make it write log files, and are compiled if that is possible; it runs without them as well. */
  readonly compiled: readonly string[];
  /** What its dependencies are replaced with, so that nothing needs to be compiled for it to start. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** Everything the rig brings from npm besides package.json, pinned. */
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
    // Its own one has no binaries in its package. Nothing hashes a password here.
    overrides: { argon2: '0.44.0' },
  },
  codex: '0.169.0',
} as const;
