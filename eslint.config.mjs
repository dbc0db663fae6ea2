import prettier from 'eslint-config-prettier';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { zones } from './test/rig/rooms.mjs';

const NODE = {
  group: ['node:*', 'node-pty'],
  message: 'This room runs on any platform: see CONTRIBUTING.md.',
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
    plugins: { 'import-x': importX },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/resolver-next': [createNodeResolver({ extensionAlias: { '.js': ['.ts', '.d.ts', '.js'] } })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'import-x/no-cycle': 'error',
      // The two rules above do not see these.
      'no-restricted-syntax': [
        'error',
        { selector: 'TSImportType', message: 'Import the type at the top of the file.' },
      ],
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
