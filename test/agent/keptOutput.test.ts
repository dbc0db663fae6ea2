import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { type AgentTools, backendHost, createAgentTools } from '../../src/agent/index.js';
import { type Machine, OutputFolder, readReceipts, receiptPlace } from '../../src/machine/index.js';
import { useMachine } from '../server/machine/machineFixture.js';
import {
  cutOlderFile,
  keepInTwoFiles,
  keepOnDisk,
  NUMBERS,
  type Part,
  scriptOf,
} from '../support/longOutput.js';
import { until } from '../support/until.js';
import { endSessionServersIn } from '../support/sessionServers.js';
import { PATH } from '../support/startParams.js';

/** Two lines, a third one that overwrites itself for long, as a progress bar does, and a last one. */
const PROGRESS: readonly Part[] = [
  { print: 'echo one; echo two; yes | head -c 1500000 | tr "\\n" "\\r"; printf half', end: '\rhalf' },
  { print: 'yes | head -c 1500000 | tr "\\n" "\\r"; echo three; echo four', end: 'three\nfour\n' },
];

describe('Tools of agents and output on disk', () => {
  const machine = useMachine();
  let backend: Machine['backend'];
  let tools: AgentTools;
  beforeEach(async () => {
    ({ backend } = (await machine.connect()) ?? assert.fail('There is no server.'));
    const environment = { id: 'here', label: 'here', backend, cwd: machine.folder, shell: '/bin/bash' };
    tools = createAgentTools({
      host: backendHost({ environments: [{ ...environment, env: { PATH }, shared: true }] }),
    });
  });
  afterEach(() => tools.dispose());

  const call = (name: Parameters<AgentTools['call']>[0], input: object) =>
    tools.call(name, input, { agent: { id: 'tester', name: 'tester' } });
  /** The server is killed, and another one is there. */
  const restart = async () => {
    const place = receiptPlace(machine.env) ?? assert.fail('There is no place for receipts.');
    await endSessionServersIn(machine.folder, 'SIGKILL');
    const next = (await machine.connect()) ?? assert.fail('There is no server.');
    const environment = { id: 'here', label: 'here', backend: next.backend, cwd: machine.folder };
    tools.dispose();
    tools = createAgentTools({
      host: backendHost({
        environments: [{ ...environment, shell: '/bin/bash', env: { PATH }, shared: true }],
      }),
      receipts: () => readReceipts(place, Date.now()),
      pastOutputs: OutputFolder.of(machine.env),
    });
  };
  /** Resolves when the receipt of a session has its number, which it gets after its start. */
  const hasReceipt = async (session: number) => {
    const place = receiptPlace(machine.env) ?? assert.fail('There is no place for receipts.');
    await until(
      () =>
        fs
          .readdirSync(place.folder)
          .map((file) => fs.readFileSync(path.join(place.folder, file), 'utf8'))
          .join(''),
      (seen) => seen.includes(`"number":${session}`),
    );
  };
  /** Starts a session whose output is on disk, and waits until memory has let go more than a MiB. */
  const start = async (parts: readonly Part[]) => {
    const input = { cmd: scriptOf(parts), stdin: true, yield_time_ms: 0 };
    const { structured } = await call('exec_command', input);
    const process = await keepOnDisk(backend, parts);
    assert.ok(process.info().output.evicted.bytes > 1024 * 1024);
    return { session: structured['session'], process };
  };

  it('read and search what memory has let go', async () => {
    const { session } = await start(NUMBERS);
    const page = await call('read_output', { session, cursor: '0', max_output_tokens: 500 });
    assert.match(page.text, /\n1\n2\n3\n4\n/);
    const found = await call('read_output', { session, search: '^77777$' });
    assert.match(found.text, /Matching lines: 1\n[^]*: 77777\n/);
  });

  it('search all output of a command that was started with keep_output, and nothing of it is said to be gone', async () => {
    const cmd = 'seq 1 400000; echo end';
    const { text, structured } = await call('exec_command', {
      cmd,
      keep_output: true,
      yield_time_ms: 50_000,
    });
    assert.match(text, /\nend\n$/);
    assert.match(text, /left out; read_output cursor="\S+" has them/);
    const [info] = await backend.list();
    assert.ok((info?.output.evicted.bytes ?? 0) > 1024 * 1024);
    const found = await call('read_output', { session: structured['session'], search: '^77777$' });
    assert.match(found.text, /Matching lines: 1\n[^]*: 77777\n/);
    assert.doesNotMatch(text + found.text, /gone/);
  });

  it('read the last lines, even after output that memory has let go', async () => {
    const { session, process } = await start(PROGRESS);
    const { text } = await call('read_output', { session, tail: 4 });
    assert.match(text, /^Last lines: 4, from cursor "0" on$/m);
    assert.match(text, /\none\ntwo\nthree\nfour\n/);
    await process.describe({ keepOutput: false });
    const left = await call('read_output', { session, tail: 4 });
    assert.match(left.text, /^Last lines: 2,/m);
    assert.match(left.text, /three\nfour\n/);
    assert.doesNotMatch(left.text, /\ntwo\n/);
  });

  it('read what was kept of a session whose server was killed, and only that', async () => {
    const { session } = await start(NUMBERS);
    await call('exec_command', { cmd: 'echo text; read x', stdin: true, yield_time_ms: 0 });
    await hasReceipt(Number(session) + 1);
    await restart();
    const listed = await call('list_sessions', {});
    assert.match(listed.text, /^Ended before \(2\):$/m);
    assert.match(
      listed.text,
      /^Session \d+: read x; seq .* \| was lost .* \| output on disk: read_output has it$/m,
    );
    assert.match(listed.text, /^Session \d+: echo text.* \| was lost .* \| output gone$/m);
    const tail = await call('read_output', { session, tail: 2 });
    assert.match(
      tail.text,
      /^Session \d+: read x; seq .*\nState: was lost .*; this is its output on disk, whose end may be missing$/m,
    );
    assert.match(tail.text, /^Last lines: 2, from cursor "\S+" on\n[^]*\n399999\n400000\n/m);
    assert.equal(tail.structured['state'], 'lost');
    assert.deepEqual([tail.structured['endMissing'], tail.structured['endMissingBytes']], [true, undefined]);
    const found = await call('read_output', { session, search: '^77777$' });
    assert.match(found.text, /^Matching lines: 1\n[^]*: 77777\n/m);
    const page = await call('read_output', { session, max_output_tokens: 500 });
    assert.match(page.text, /\n1\n2\n3\n4\n/);
    const [, cursor = ''] = /read_output cursor="(\S+)" has it/.exec(page.text) ?? [];
    const more = await call('read_output', { session, cursor, max_output_tokens: 500 });
    const last = Number(/(\d+)\n\[\.\.\. more/.exec(page.text)?.[1]);
    assert.match(more.text, new RegExp(`\nOutput:\n${last + 1}\n`));
    for (const wrong of [{ mode: 'screen' }, { tail: 1, cursor: '0' }, { search: '(' }, { cursor: 'x' }]) {
      assert.ok((await call('read_output', { session, ...wrong })).isError, JSON.stringify(wrong));
    }
    const typed = await call('write_stdin', { session, chars: 'x' });
    assert.match(typed.text, /Its output is on disk, and only read_output can be used with it/);
    const gone = await call('read_output', { session: Number(session) + 1 });
    assert.match(gone.text, /Its output is gone: start the command again/);
  });

  it('say how much is missing in the middle of what was kept of a session whose server was killed', async () => {
    await keepInTwoFiles(backend);
    const { session } = await start(NUMBERS);
    await hasReceipt(Number(session));
    cutOlderFile(machine.env, 100);
    await restart();
    const found = await call('read_output', { session, search: '^(1|77777|400000)$' });
    assert.match(
      found.text,
      /^Warning: \d{2,} bytes of the output are gone and could not be searched; to keep all, .*$/m,
    );
    assert.match(found.text, /^Matching lines: 3$/m);
  });
});
