import assert from 'node:assert/strict';

import type { LogOutputChannel } from 'vscode';

import { SessionEvents } from '../../../src/sessions/list/sessionEvents.js';
import { SessionList } from '../../../src/sessions/list/sessionList.js';
import { logSessions, maskedLog, RecentProblems } from '../../../src/vscode/log.js';
import { FakeClock } from '../../support/fakeClock.js';
import { ScriptedBackend } from '../../support/scriptedBackend.js';

const HOSTILE = 'x\n2026-01-01 [info] forged\u0085\u2028\u202e\u009b31m';

/** A list whose sessions are logged as lines. */
function logged() {
  const clock = new FakeClock();
  const backend = new ScriptedBackend(clock);
  const list = new SessionList({ clock });
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log: Pick<LogOutputChannel, 'info' | 'error'> = { info: write, error: write };
  logSessions(new SessionEvents(list), log as LogOutputChannel);
  return { backend, list, lines };
}

describe('the log of sessions', () => {
  it('has one short line for each event, whatever others call themselves', async () => {
    const { backend, list, lines } = logged();
    const session = await list.start(
      { id: 'local', label: 'Local', backend },
      {
        argv: ['sh', '-c', HOSTILE.repeat(1_000)],
        cwd: `/${HOSTILE.repeat(1_000)}`,
        env: {},
        tty: false,
        origin: { kind: 'agent', name: HOSTILE.repeat(1_000) },
      },
    );
    backend.processes[0]?.exits(0);
    assert.equal(session.state, 'exited');
    assert.equal(lines.length, 2);
    for (const line of lines) {
      assert.match(line, /^\[[0-9a-f]{8}\] (started|exited): [^\p{C}\p{Zl}\p{Zp}]{1,5000}$/u);
    }
  });

  it('says found of a session that this window has not started', () => {
    const { backend, list, lines } = logged();
    const params = { processId: 'h1', argv: ['x'], cwd: '/', env: {}, tty: false };
    const request = { ...params, origin: { kind: 'user' } } as const;
    list.adopt({ id: 'local', label: 'Local', backend }, backend.runs(params), request);
    assert.match(lines.join(), /^\[[0-9a-f]{8}\] found: "x" in \//);
  });

  it('has no evident secret of a command line', async () => {
    const clock = new FakeClock();
    const backend = new ScriptedBackend(clock);
    const list = new SessionList({ clock });
    const lines: string[] = [];
    const problems = new RecentProblems();
    const log = maskedLog(
      {
        info: (line: string) => void lines.push(line),
        error: (line: string | Error) => void lines.push(String(line)),
      } as LogOutputChannel,
      problems,
    );
    logSessions(new SessionEvents(list), log);
    await list.start(
      { id: 'local', label: 'Local', backend },
      {
        argv: ['env', 'API_TOKEN=hidden words', 'deploy', '--password', 'hidden'],
        cwd: '/place',
        env: {},
        tty: false,
        origin: { kind: 'agent', name: 'me' },
      },
    );
    // The cut would come before the @ that shows a password.
    const url = `${'a'.repeat(270)} https://me:${'hidden'.repeat(10)}@host`;
    const environment = { id: 'local', label: 'Local', backend };
    await list.start(environment, {
      argv: ['curl', url],
      cwd: `/${url}`,
      env: {},
      tty: false,
      origin: { kind: 'user' },
    });
    log.error(new Error('Cannot start "deploy --password hidden"'));
    assert.match(lines[0] ?? '', /deploy --password \*\*\*.* in \/place of local, .* by me$/);
    assert.equal(lines.length, 3);
    const noted = problems.all.map(({ level, text }) => `${level}: ${text}`);
    assert.equal(noted.length, 1);
    assert.match(noted[0] ?? '', /^error: Error: Cannot start "deploy --password \*\*\*/);
    assert.ok(!/hidden|words/.test([...lines, ...noted].join()), lines.join());
  });

  it('has no line that others have made up, whoever writes and whatever the level', () => {
    const lines: string[] = [];
    const write = (line: string | Error): void => void lines.push(String(line));
    const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
    const log = maskedLog(
      Object.fromEntries(levels.map((level) => [level, write])) as unknown as LogOutputChannel,
      new RecentProblems(),
    );
    for (const level of levels) log[level](`resize: ${HOSTILE}`);
    log.error(new Error(HOSTILE));
    assert.equal(lines.length, levels.length + 1);
    for (const entry of lines) {
      const [first = '', ...others] = entry.split(/[\n\r\v\f\u0085\u2028\u2029]/);
      assert.match(first, /^(?:resize|Error): x$/);
      assert.ok(others.length > 0 && others.every((line) => line.startsWith('    ')), entry);
      assert.doesNotMatch(entry, /[\u202e\u009b]/);
    }
  });
});
