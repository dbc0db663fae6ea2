/** Everything the rig brings from npm besides package.json, pinned. code-server 4.139.1 is VS Code 1.139.1 and runs on Node 24. */
export const versions = {
  node: '24.21.0',
  codeServer: '4.139.1',
  codex: '0.169.0',
} as const;
