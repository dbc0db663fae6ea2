import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { receiptLine } from '../../src/core/index.js';
import { receiptPlace } from '../../src/machine/index.js';
import { params } from '../support/startParams.js';
import { sampleReceipt } from '../support/sampleReceipt.js';
import { useMachine } from '../server/machine/machineFixture.js';
import { runLine, useTerminals } from './cliFixture.js';

/** Sequences that a terminal obeys (title, clipboard, clearing, C1), a forged line, direction marks, and invisible characters. */
const HOSTILE =
  'x\u001b]0;t\u0007\u001b]52;c;aGk=\u0007\u001b[2J\u009b31m\r\nforged\u2028forged\u202e\u2066\u200b\u{e0041}\u00adend';

/** A character that the command line never prints. */
const UNSAFE = /[^\n\P{Cc}]|[\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const ON_SERVER = ['run --on "unix://$SERVER" -- true', 'ls --on "unix://$SERVER"'];

/** The arguments of each command, by its name. A new command has to be driven here, too. */
const DRIVEN: Readonly<Record<string, readonly string[]>> = {
  run: ['run --detach -- "$HOSTILE"', 'run --cwd "/none/$HOSTILE" -- true'],
  ls: ['ls', 'ls --all', 'ls --all --json', 'ls --all --quiet', 'ls "--$HOSTILE"'],
  attach: ['attach none', 'attach "$HOSTILE"', 'attach same', 'attach past'],
  logs: ['logs none', 'logs "$HOSTILE"', 'logs past'],
  search: ['search forged', 'search none'],
  send: ['send same x', 'send "${HOSTILE}t" x', 'send past x'],
  wait: ['wait none', 'wait "$HOSTILE"', 'wait past --for "/$HOSTILE(/"'],
  rename: ['rename none x', 'rename same x'],
  signal: ['signal "${HOSTILE}t" "$HOSTILE"', 'signal past TERM', 'signal none TERM'],
  rm: ['rm "${HOSTILE}t"', 'rm none'],
  receipts: ['receipts', 'receipts --json'],
  leftovers: ['leftovers', 'leftovers --json', 'leftovers stop 1'],
  cleanup: [
    'cleanup',
    'cleanup --json',
    'cleanup --agent "$HOSTILE"',
    'cleanup --folder "/none/$HOSTILE" --yes',
  ],
  connect: ['connect', 'connect "$HOSTILE"', 'connect claude'],
  stop: ['stop none', 'stop past "${HOSTILE}t"'],
  kill: ['kill none', 'kill "${HOSTILE}2"'],
  server: ['server status', 'server stop', 'server stop --force'],
  completion: ['completion "$HOSTILE"', 'completion bash'],
};

describe('text of others on the command line', () => {
  const machine = useMachine();
  const open = useTerminals(machine);
  let server: net.Server | undefined;

  afterEach(() => server?.close());

  /** Sessions as a client of the socket may make them: one ends by itself, two have the same title. */
  async function startSessions(): Promise<void> {
    const { backend } = (await machine.connect()) ?? assert.fail();
    for (const [index, title] of ['past', `${HOSTILE}t`, 'same', 'same'].entries()) {
      const process = await backend.start({
        ...params({ processId: `process-${index}`, argv: [index === 0 ? 'true' : 'sleep', '1000'] }),
        owned: true,
        metadata: {
          sessionId: `${index === 0 ? '--all' : HOSTILE}${index}`,
          title,
          commandLine: `run ${HOSTILE}`,
          origin: { kind: index < 2 ? 'agent' : 'extension', name: HOSTILE },
          folder: `/${HOSTILE}`,
        },
      });
      process.release();
    }
  }

  /** A server that refuses a start, or the greeting already, in its own words. */
  async function hostileServer(socket: string, refuses: string): Promise<void> {
    server = net.createServer((connection) => {
      let text = '';
      connection.on('error', () => undefined);
      connection.on('data', (bytes) => {
        const lines = (text += bytes.toString()).split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) {
          const { id, method } = JSON.parse(line) as { id?: number; method: string };
          if (id !== undefined) {
            const error = { code: -32_000, message: HOSTILE.repeat(10_000) };
            const result = { sessionId: HOSTILE };
            connection.write(`${JSON.stringify({ id, ...(method === refuses ? { error } : { result }) })}\n`);
          }
        }
      });
    });
    await new Promise<void>((resolve) => server?.listen(socket, resolve));
  }

  function writeReceipt(): void {
    const { folder } = receiptPlace(machine.env) ?? assert.fail();
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const receipt = {
      ...sampleReceipt(randomUUID()),
      sessionId: HOSTILE,
      title: HOSTILE,
      origin: { kind: 'agent' as const, name: HOSTILE },
      end: { kind: 'exit' as const, at: 2_000, status: { exitCode: 137, signal: HOSTILE } },
      endedBy: { kind: 'agent' as const, name: HOSTILE },
      host: HOSTILE,
    };
    fs.writeFileSync(
      path.join(folder, `${randomUUID()}.1.jsonl`),
      `{}\n${receiptLine({ kind: 'receipt', receipt })}\n`,
    );
  }

  it('is one line, without what a terminal obeys or reorders, by every command', async () => {
    await startSessions();
    writeReceipt();
    const socket = path.join(machine.folder, 'server.sock');
    const variables = `HOSTILE=$'${escaped(HOSTILE)}' SERVER='${socket}'`;
    const { stdout: completion } = await runLine(machine, 'exec-sessions completion bash');
    const commands = [...completion.matchAll(/^    (\w+)\) /gm)].map(([, name = '']) => name);
    assert.deepEqual(Object.keys(DRIVEN).sort(), commands.filter((name) => name !== 'help').sort());
    const faults: string[] = [];
    const drive = async (line: string) => {
      const { stdout, stderr } = await runLine(machine, `${variables}; exec-sessions ${line}`);
      const seen = stdout + stderr;
      const isLong = !line.startsWith('ls') && seen.length > 100_000;
      if (UNSAFE.test(seen) || /^forged/m.test(seen) || isLong) {
        faults.push(line);
      }
    };
    for (const refuses of ['initialize', 'process/start']) {
      await hostileServer(socket, refuses);
      await Promise.all(ON_SERVER.map(drive));
      server?.close();
    }
    for (const lines of Object.values(DRIVEN)) {
      await Promise.all(lines.map(drive));
    }
    assert.deepEqual(faults, []);
  });

  it('leaves ids that a shell could take for more than a word out of ls --quiet, and whole in ls --json', async () => {
    await startSessions();
    const { stdout: json } = await runLine(machine, 'exec-sessions ls --all --json');
    const { sessions } = JSON.parse(json) as {
      readonly sessions: readonly { readonly id: string; readonly number: number | null }[];
    };
    const { stdout: ids } = await runLine(machine, 'exec-sessions ls --all --quiet');
    const numbers = sessions.flatMap(({ number }) => number ?? []);
    assert.ok(numbers.length > 0);
    assert.deepEqual(ids.trim().split('\n').map(Number), numbers);
    assert.deepEqual(
      sessions.map(({ id }) => id),
      ['--all0', `${HOSTILE}1`, `${HOSTILE}2`, `${HOSTILE}3`],
    );
  });

  it('is drawn by ls --watch without its escape sequences', async () => {
    await startSessions();
    const terminal = await open(['ls', '--all', '--watch']);
    await terminal.shows('end3');
    assert.doesNotMatch(terminal.text, /\u0007|\u001b\]|\u001b\[2J|[\u009b\u202e]|^forged/m);
  });
});

/** A text as it stands between `$'` and `'` in bash. */
function escaped(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
