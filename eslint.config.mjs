import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const NODE = {
  group: ['node:*', 'node-pty'],
  message: 'This room runs on any platform: see docs/internals.md.',
};
const VSCODE = {
  group: ['vscode'],
  message: 'Only src/vscode, src/entry and src/extension.ts import vscode.',
};

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
  {
    files: ['src/**/*.ts'],
    ignores: ['src/vscode/**', 'src/entry/**', 'src/extension.ts', 'src/api/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [VSCODE] }] },
  },
  {
    files: ['src/{core,terminal,sessions,agent}/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: [NODE, VSCODE] }] },
  },
  prettier,
);
