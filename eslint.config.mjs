import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/**
 * The rooms of src/ and what each may import, besides itself (see CONTRIBUTING.md). Imports point one way;
 * `vscode` belongs to the last room alone, and `core`, `sessions` and `agent` use nothing of any platform.
 */
const rooms = {
  core: { rooms: [], node: false },
  local: { rooms: ['core'], node: true },
  protocol: { rooms: ['core'], node: true },
  remote: { rooms: ['core', 'protocol'], node: true },
  sessions: { rooms: ['core'], node: false },
  agent: { rooms: ['core'], node: false },
  mcp: { rooms: ['core', 'agent'], node: true },
  server: { rooms: ['core', 'local', 'protocol', 'remote', 'agent', 'mcp'], node: true },
  vscode: {
    rooms: ['core', 'local', 'remote', 'sessions', 'agent', 'mcp'],
    node: true,
    vscode: true,
  },
};

const roomRules = Object.entries(rooms).map(([room, may]) => {
  const others = Object.keys(rooms).filter((other) => other !== room && !may.rooms.includes(other));
  const patterns = others.map((other) => ({
    // Packages may be called what they like.
    group: [`**/${other}/*`, `**/${other}/**`, '!@modelcontextprotocol/**'],
    message: `src/${room} may not import src/${other}: see the rooms in CONTRIBUTING.md.`,
  }));
  if (!may.node) {
    patterns.push({ group: ['node:*', 'node-pty'], message: `src/${room} runs on any platform.` });
  }
  if (!may.vscode) {
    patterns.push({ group: ['vscode'], message: `Only src/vscode and src/extension.ts import vscode.` });
  }
  return {
    files: [`src/${room}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', '.tools/', 'node_modules/'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-console': 'error',
      'eqeqeq': 'error',
    },
  },
  ...roomRules,
  prettier,
);
