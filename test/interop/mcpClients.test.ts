import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { backendHost, createAgentTools, type HostedProcess, type ToolCaller } from '../../src/agent/index.js';
import { LocalBackend } from '../../src/local/index.js';
import { serveMcpOverHttp } from '../../src/mcp/index.js';
import { ensureProgram, ifProgram } from '../rig/npmPrograms.js';
import { mcpClients, mcpProgramIn, type McpClient } from './mcpClients.js';
import type { Texts, ToolScript } from './scriptedModel.js';
import { useWorkspace } from './workspace.js';

const TOKEN = 'open-sesame';
const DAY_MS = 24 * 60 * 60 * 1_000;

const textOf = (texts: Texts, id: string) => texts.get(id) ?? assert.fail(`Nothing came back for ${id}.`);

const begun = (texts: Texts) => {
  const text = textOf(texts, 'begin');
  return Number(/Session (\d+): /.exec(text)?.[1] ?? assert.fail(text));
};

/** A program that asks for a secret, says how long it is, and does not end. */
const ASKS = `pwd; stty -echo; printf 'Password: '; read -r word; stty echo; echo; echo "\${#word} $UNIT"; sleep 1000`;
const SECRET = 'correct horse';

/** A person at the terminal to whom the tools can turn. */
class Person {
  #terminal: HostedProcess | undefined;
  #typed: Promise<unknown> = Promise.resolve();

  readonly call = (terminal: HostedProcess) => {
    this.#terminal = terminal;
    return { dispose: () => (this.#terminal = undefined) };
  };

  type(text: string): void {
    const { process: asking } = this.#terminal ?? assert.fail('Nobody was called.');
    this.#typed = asking.write(Buffer.from(text));
  }

  /** Rejects if the typed text did not get there. */
  get typed(): Promise<unknown> {
    return this.#typed;
  }
}

/**
 * A model that lists, starts a program that asks for a secret, and tries to type it itself. If a person types it, the
 * model waits for the next output. Then it stops the program, and lists again. It sends text for numbers and switches,
 * and names out of other programs, as models do: no client may refuse that.
 */
const script = (person?: Person): ToolScript => [
  () => ({ id: 'before', tool: 'list_sessions', args: {} }),
  () => ({
    id: 'begin',
    tool: 'exec_command',
    args: { command: ASKS, cwd: '.', env: { UNIT: 'characters' }, tty: 'true', yield_time_ms: '0' },
  }),
  (texts) => ({
    id: 'wait',
    tool: 'wait_for',
    args: { session: String(begun(texts)), timeout_ms: '50000', pattern: 'Password: ' },
  }),
  (texts) => ({ id: 'type', tool: 'write_stdin', args: { session_id: begun(texts), chars: 'guess\r' } }),
  ...(person === undefined
    ? []
    : [
        (texts: Texts) => {
          person.type(`${SECRET}\r`);
          return {
            id: 'answered',
            tool: 'wait_for',
            args: { session: begun(texts), pattern: '^[0-9]+ characters' },
          };
        },
      ]),
  (texts) => ({ id: 'stop', tool: 'stop_session', args: { session: begun(texts) } }),
  () => ({ id: 'after', tool: 'list_sessions', args: {} }),
];

function assertPlayed(texts: Texts, folder: string): void {
  assert.match(textOf(texts, 'before'), /^(?:Output:)?0 sessions of yours, 0 running\.$/m);
  // On a slow machine the question is found before the first answer.
  assert.match(textOf(texts, 'begin'), /^State: (?:running|waiting for a secret)$/m);
  assert.match(textOf(texts, 'wait'), /^Condition: pattern met /m);
  assert.match(`${textOf(texts, 'begin')}\n${textOf(texts, 'wait')}`, new RegExp(`^${folder}$`, 'm'));
  assert.match(
    textOf(texts, 'type'),
    /Nothing was sent to session \d+\. The program is waiting for a secret/,
  );
  assert.match(textOf(texts, 'stop'), /^Stop: interrupted; it has ended$/m);
  assert.match(textOf(texts, 'after'), /^(?:Output:)?1 session of yours, 0 running\.$/m);
  assert.match(textOf(texts, 'after'), /ended by SIGINT/);
}

/** Its calls are held almost until it would give them up, or for a day. It announces no tasks. */
function assertHeld({ patienceMs = DAY_MS + 1 }: McpClient, { longestMs = 0, mayGoOn }: ToolCaller): void {
  assert.ok(longestMs > patienceMs * 0.9 && longestMs < patienceMs, String(longestMs));
  assert.equal(mayGoOn ?? false, false);
}

for (const client of mcpClients.flatMap((each) => ifProgram(each.program, each))) {
  describe(`The real client ${client.program} with our tools`, () => {
    const workspace = useWorkspace();

    before(async function () {
      await ensureProgram(client.program);
    });

    for (const [title, option] of [
      ['alone', ['--alone']],
      ['with a session server', []],
    ] as const) {
      it(`lists, starts, waits, learns who can be asked, and stops, through exec-server mcp ${title}`, async () => {
        const place = mcpProgramIn(workspace.folder, option);
        const texts = await client.run({ place, cwd: workspace.folder, script: script() });
        assertPlayed(texts, workspace.folder);
        assert.match(
          textOf(texts, 'type'),
          option.length === 0
            ? /in VS Code, if a window is open, or with \\?"exec-sessions attach \d+ --take-control\\?"/
            : /and nobody can be asked for it here\./,
        );
        assert.doesNotMatch(textOf(texts, 'after'), /end with this program/);
        assert.equal(fs.existsSync(path.join(workspace.folder, 'exec-sessions')), option.length === 0);
      });
    }

    it('does the same through the server on the web while a person types the secret, is called by its name, and has time', async () => {
      const backend = new LocalBackend();
      const environment = { id: 'local', label: 'this machine', backend, cwd: workspace.folder };
      const person = new Person();
      const host = { ...backendHost({ environments: [environment] }), callPerson: person.call };
      const tools = createAgentTools({ host });
      const callers: ToolCaller[] = [];
      const call: typeof tools.call = (name, input, caller) => {
        callers.push(caller);
        return tools.call(name, input, caller);
      };
      const served = { definitions: tools.definitions, call };
      const server = await serveMcpOverHttp({ tools: served, token: TOKEN, port: 0, version: '1.2.3' });
      try {
        const place = { url: server.url, token: TOKEN };
        const texts = await client.run({ place, cwd: workspace.folder, script: script(person) });
        await person.typed;
        assertPlayed(texts, workspace.folder);
        assert.match(textOf(texts, 'type'), /A person has been asked to type it in the terminal\./);
        assert.match(textOf(texts, 'answered'), /^Condition: pattern met .*: 13 characters$/m);
        texts.forEach((text) => assert.doesNotMatch(text, new RegExp(SECRET)));
        for (const caller of callers) assertHeld(client, caller);
        const agent = { id: 'else', name: 'somebody else' };
        assert.match((await tools.call('list_sessions', { all: true }, { agent })).text, client.name);
      } finally {
        await server.dispose();
        tools.dispose();
        await backend.shutdown();
      }
    });
  });
}
