/** The start parameters of one session in a picture, for the public API. */
export interface CrowdStart {
  readonly argv: readonly string[];
  readonly title?: string;
  readonly tty?: boolean;
  readonly environment?: string;
  readonly startedBy?: { readonly kind: 'agent'; readonly name: string };
}

const bash = (script: string): readonly string[] => ['bash', '-c', script];
const byAgent = (name: string) => ({ startedBy: { kind: 'agent', name } }) as const;

/** The scripts of the project that a person of the walkthrough works on. */
export const scripts = {
  build: 'node -e "console.log(\'built in 1.2 s\')"',
  dev: 'node server.mjs',
  test: 'node -e "console.log(\'1 of 24 tests failed\'); process.exit(1)"',
};

/** Its server, which says what such servers say. */
export const serverCode = `import { createServer } from 'node:http';

const page = '<h1>Shop</h1>';

createServer((request, response) => response.end(page)).listen(5173, '127.0.0.1', () => {
  console.log(\`
  ready in 312 ms

  Local:   http://localhost:5173/
\`);
});
`;

/** The rest of a picture: another machine and an agent. */
export const elsewhere: readonly CrowdStart[] = [
  { argv: bash('exec sleep 900'), title: 'npx vitest --watch', ...byAgent('Claude Code') },
  { argv: bash('exec sleep 900'), title: 'make release', environment: 'build' },
];

/** Fifty of every kind and length, of two environments, two agents and an extension. */
export function manySessions(): readonly CrowdStart[] {
  const scripts = [
    { script: 'exec sleep 900', title: 'npm run --workspace=packages/web dev -- --host 0.0.0.0 --port 5173' },
    { script: 'exit 0', title: 'git fetch --all --prune' },
    { script: 'exit 3', title: 'cargo test --package parser --lib -- tests::deeply::nested::module' },
    { script: 'exec sleep 900', title: 'tail -f server.log' },
    { script: 'kill -TERM $$', title: 'docker compose up' },
    { script: 'exec sleep 900', title: 'ssh build.example.com' },
    { script: 'exit 0', title: 'npm run lint' },
  ];
  return Array.from({ length: 50 }, (_, index) => {
    const { script = '', title = '' } = scripts[index % scripts.length] ?? {};
    return {
      argv: bash(script),
      title: `${title} #${index + 1}`,
      ...(index % 3 === 0 ? byAgent(index % 2 === 0 ? 'Claude Code' : 'Codex') : {}),
      ...(index % 5 === 4 && { environment: 'build' }),
    };
  });
}
