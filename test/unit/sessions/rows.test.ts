import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import {
  iconOf,
  rowFlags,
  type RowPlace,
  sessionLabel,
  sessionRow,
} from '../../../src/sessions/words/rows.js';
import { isFailure } from '../../../src/sessions/words/status.js';
import type { SessionSnapshot } from '../../../src/sessions/list/sessionSnapshot.js';
import { closed, DAY, HOUR, MINUTE, snapshot, START } from './snapshots.js';

/** A session whose connection ended with these words. */
const lostBy = (ended: string) => ({ kind: 'disconnected', reason: { kind: 'ended', ended } }) as const;

const CUT = { kind: 'ended', ended: 'cut' } as const;

const description = (session: SessionSnapshot, after: number): string =>
  sessionRow(session, START + after, english).description;
const heard = (session: SessionSnapshot, after: number): string =>
  sessionRow(session, START + after, english).accessibilityLabel;

describe('a row of the tree', () => {
  it('shows the title, or else the command line', () => {
    assert.equal(sessionRow(snapshot(), START, english).label, 'npm test');
    assert.equal(sessionRow(snapshot({ title: 'Tests' }), START, english).label, 'Tests');
  });

  it('shows a command line of several lines, with hidden characters, on one line as it reads', () => {
    const commandLine = 'echo a\n\techo b\u202e # \u2066evil\u0007';
    assert.equal(sessionRow(snapshot({ commandLine }), START, english).label, 'echo a echo b # evil');
  });

  it('shows a whole command line, which the search of VS Code finds; a very long one is cut', () => {
    const commandLine = 'npm run --workspace=packages/web dev; sleep 999';
    assert.equal(sessionRow(snapshot({ commandLine }), START, english).label, commandLine);
    const session = snapshot({ commandLine: '🚀'.repeat(5_000) });
    const { label } = sessionRow(session, START, english);
    assert.equal(Array.from(label).length, 200);
    assert.ok(label.endsWith('🚀…'));
    assert.equal(sessionLabel(session), label);
    assert.ok(heard(session, 5).startsWith(`${label}, has been running`));
  });

  it('names the environment after the state where nothing above it does', () => {
    const session = snapshot({ environment: { id: 'build', label: 'Build box' } });
    const row = sessionRow(session, START, english, { namesEnvironment: true });
    assert.equal(row.description, '< 1 m · Build box');
  });

  it('names the ports before the time, and three of many', () => {
    const serves = snapshot({ ports: [3000] });
    assert.equal(description(serves, 12 * MINUTE), ':3000 · 12 m');
    assert.equal(
      heard(serves, 12 * MINUTE),
      'npm test, has been running for 12 minutes, listens at port 3000',
    );
    assert.equal(
      description(snapshot({ ports: [80, 443, 3000, 3001, 3002] }), 0),
      ':80 :443 :3000 +2 · < 1 m',
    );
  });

  it('names the sandbox, and says that this has refused something', () => {
    const sandbox = { places: [{ path: '/srv/web', access: 'write' }], network: false } as const;
    assert.equal(
      description(snapshot({ sandbox }), 12 * MINUTE),
      '12 m · sandbox: writes to web, no network',
    );
    assert.equal(
      heard(snapshot({ sandbox }), 12 * MINUTE),
      'npm test, has been running for 12 minutes; sandbox: writes to web, no network',
    );
    const denied = { ...closed({ exitCode: 1, refused: { file: '/etc/hosts' } }), sandbox };
    assert.equal(
      description(denied, 4 * MINUTE),
      'exit 1 · refused by the sandbox: /etc/hosts is read-only · 2 m ago · sandbox: writes to web, no network',
    );
    assert.match(
      heard(denied, 4 * MINUTE),
      /exited with code 1, refused by the sandbox: \/etc\/hosts is read-only, 2 minutes ago/,
    );
    const stopped = { ...denied, stopped: true } as const;
    assert.doesNotMatch(description(stopped, 4 * MINUTE) + heard(stopped, 4 * MINUTE), /refused/);
  });

  it('does not look like a failure if somebody has stopped it', () => {
    const session = { ...closed({ exitCode: 143, signal: 'SIGTERM' }), stopped: true } as const;
    assert.equal(description(session, 4 * MINUTE), 'stopped · SIGTERM · 2 m ago');
    assert.equal(
      heard(session, 4 * MINUTE),
      'npm test, was stopped: was ended by the signal SIGTERM, 2 minutes ago',
    );
    const interrupted = closed({ exitCode: 130, signal: 'SIGINT' });
    const crashed = closed({ exitCode: 139, signal: 'SIGSEGV' });
    assert.deepEqual([session, interrupted, crashed].map(isFailure), [false, false, true]);
    const byAgent = { ...interrupted, signalledByAgent: true } as const;
    assert.deepEqual([byAgent, { ...byAgent, stopped: true as const }].map(isFailure), [true, false]);
    assert.deepEqual(iconOf(session), { icon: 'circle-slash', color: 'disabledForeground' });
    assert.equal(iconOf(crashed).color, 'debugIcon.stopForeground');
    assert.equal(
      description({ ...closed({ exitCode: 0 }), stopped: true }, 4 * MINUTE),
      'stopped · exit 0 · 2 m ago',
    );
  });

  it('has the buttons of an ended session only once its row has taken its place', () => {
    const flags = (place: RowPlace) =>
      sessionRow(closed({ exitCode: 0 }), START, english, place).contextValue.split(';');
    assert.ok(flags({}).includes('settled'));
    assert.ok(!flags({ held: true }).includes('settled'));
    assert.ok(!sessionRow(snapshot(), START, english).contextValue.includes('settled'));
  });

  it('says what an ended session has left running', () => {
    const survivor = { pid: 7, startTime: '5', command: 'ssh-agent', why: 'otherSession' } as const;
    const session = { ...closed({ exitCode: 0 }), survivors: [survivor] };
    const row = sessionRow(session, START + 4 * MINUTE, english);
    assert.equal(row.description, 'exit 0 · 1 process still runs · 2 m ago');
    assert.match(
      row.accessibilityLabel,
      /exited with code 0, 2 minutes ago\. It left ssh-agent \(pid 7\) running$/,
    );
    assert.match(row.contextValue, /;survivors;/);
    const open = { ...session, state: 'exited' } as const;
    assert.equal(
      sessionRow(open, START + 4 * MINUTE, english).description,
      'exit 0 · 1 process still runs · 2 m ago',
    );
    assert.doesNotMatch(sessionRow(closed({ exitCode: 0 }), START, english).contextValue, /survivors/);
  });

  it('says in a few words what happens', () => {
    assert.equal(description(snapshot(), 2 * MINUTE), '2 m');
    assert.equal(description(snapshot({ stopping: true }), 3 * HOUR), 'stopping… · 3 h');
    assert.equal(description(closed({ exitCode: 1 }), 4 * MINUTE), 'exit 1 · 2 m ago');
    assert.equal(
      description(closed({ exitCode: 143, signal: 'SIGTERM' }), 3 * DAY),
      'SIGTERM · 2 d 23 h ago',
    );
    assert.equal(
      description(snapshot({ state: 'exited', exit: { exitCode: 0 }, exitedAt: START }), 5),
      'exit 0 · output still open · just now',
    );
    assert.equal(
      description(snapshot({ state: 'lost', failure: lostBy('the cable') }), 5),
      'lost: the cable',
    );
    assert.equal(description(snapshot({ state: 'lost' }), 5), 'lost');
    const cutOff = snapshot({ state: 'lost', exit: { exitCode: 3 }, exitedAt: START });
    assert.equal(
      description({ ...cutOff, failure: lostBy('the cable') }, 5),
      'exit 3 · output cut off: the cable · just now',
    );
    assert.equal(description(cutOff, 5), 'exit 3 · output cut off · just now');
    assert.equal(description(snapshot({ state: 'starting' }), 5), 'starting…');
  });

  it('counts down while the connection to its machine is restored', () => {
    const recovering = { reason: CUT, until: START + 45_000 };
    assert.equal(description(snapshot({ recovering }), 0), 'recovering · 45 s');
    assert.equal(description(snapshot({ recovering }), 44_001), 'recovering · 1 s');
    assert.equal(description(snapshot({ recovering }), 46_000), 'recovering · 0 s');
    const exited = snapshot({ recovering, state: 'exited', exit: { exitCode: 7 }, exitedAt: START });
    assert.equal(description(exited, 5_000), 'exit 7 · recovering · 40 s · just now');
    assert.equal(
      heard(snapshot({ recovering }), 5_000),
      'npm test, has been running for less than a minute. The connection to its machine is being restored',
      'without the seconds, which would be read out',
    );
    assert.equal(sessionRow(snapshot({ recovering }), START, english).icon, 'sync~spin');
  });

  it('does not flicker: below a minute the text stays the same', () => {
    const texts = [0, 1, 999, 10_000, 59_999].map((after) => description(snapshot(), after));
    assert.deepEqual(new Set(texts), new Set(['< 1 m']));
    const ended = [0, 30_000, 59_999].map((after) => description(closed({ exitCode: 0 }, 0), after));
    assert.deepEqual(new Set(ended), new Set(['exit 0 · just now']));
  });

  it('is a full sentence for those who hear it', () => {
    assert.equal(heard(snapshot(), 90_000), 'npm test, has been running for one minute');
    assert.equal(
      heard(snapshot({ stopping: true }), 5),
      'npm test, is being stopped, has run for less than a minute',
    );
    assert.equal(heard(closed({ exitCode: 1 }), 4 * MINUTE), 'npm test, exited with code 1, 2 minutes ago');
    assert.equal(
      heard(closed({ exitCode: 137, signal: 'SIGKILL' }), HOUR + 2 * MINUTE),
      'npm test, was ended by the signal SIGKILL, one hour ago',
    );
    assert.equal(
      heard(snapshot({ state: 'lost', failure: lostBy('The server went away.') }), 5),
      'npm test, was lost: The server went away.',
    );
    const killed = { exitCode: 143, signal: 'SIGTERM' };
    assert.equal(
      heard(snapshot({ state: 'lost', exit: killed, exitedAt: START, failure: lostBy('the cable') }), HOUR),
      'npm test, was ended by the signal SIGTERM, the rest of its output was lost: the cable, one hour ago',
    );
  });

  it('has an icon for each state', () => {
    const icons = [
      snapshot({ state: 'starting' }),
      snapshot(),
      snapshot({ stopping: true }),
      snapshot({ state: 'exited', exit: { exitCode: 0 } }),
      snapshot({ state: 'exited', exit: { exitCode: 2 } }),
      closed({ exitCode: 0 }),
      closed({ exitCode: 2 }),
      closed({ exitCode: 130, signal: 'SIGINT' }),
      snapshot({ state: 'lost' }),
      snapshot({ state: 'lost', exit: { exitCode: 0 } }),
      snapshot({ state: 'lost', exit: { exitCode: 2 } }),
      snapshot({ state: 'lost', exit: { exitCode: 130, signal: 'SIGINT' } }),
    ].map((session) => iconOf(session).icon);
    assert.deepEqual(icons, [
      'loading~spin',
      'play-circle',
      'loading~spin',
      'pass',
      'error',
      'check',
      'error',
      'circle-slash',
      'debug-disconnect',
      'pass',
      'error',
      'circle-slash',
    ]);
  });

  it('says that an agent started it, and who controls it', () => {
    const agents = snapshot({ origin: { kind: 'agent', name: 'Codex' }, controller: 'agent' });
    assert.equal(iconOf(agents).icon, 'hubot');
    assert.equal(iconOf({ ...agents, stopping: true }).icon, 'loading~spin');
    assert.equal(description(agents, 2 * MINUTE), '2 m · agent');
    assert.equal(heard(agents, 90_000), 'npm test, has been running for one minute; an agent controls it');
    const taken: SessionSnapshot = { ...agents, controller: 'person' };
    assert.equal(description(taken, 2 * MINUTE), '2 m · agent, you control');
    assert.equal(
      heard(taken, 90_000),
      'npm test, has been running for one minute; you have taken control of it from an agent',
    );
    const over: SessionSnapshot = { ...closed({ exitCode: 1 }), controller: 'person' };
    assert.equal(description(over, 4 * MINUTE), 'exit 1 · 2 m ago · agent', 'nobody controls it any more');
    assert.equal(heard(over, 4 * MINUTE), 'npm test, exited with code 1, 2 minutes ago; an agent started it');
  });

  it('shows that it waits for a secret, unless something else matters more', () => {
    const waiting = snapshot({ controller: 'agent', waitsForPerson: 'secret' });
    assert.equal(description(waiting, 2 * MINUTE), 'waits for a secret · 2 m · agent');
    assert.equal(
      heard(waiting, 90_000),
      'npm test, waits for you to type a secret, has been running for one minute; an agent controls it',
    );
    assert.deepEqual(iconOf(waiting), { icon: 'key', color: 'problemsWarningIcon.foreground' });
    assert.equal(iconOf({ ...waiting, stopping: true }).icon, 'loading~spin');
    assert.equal(description({ ...waiting, stopping: true }, 0), 'stopping… · < 1 m · agent');
    const recovering = { ...waiting, recovering: { reason: CUT, until: START + 45_000 } };
    assert.equal(iconOf(recovering).icon, 'sync~spin');
    assert.equal(description(recovering, 0), 'recovering · 45 s · agent');
  });

  it('shows what it asks, and since when, unless something else matters more', () => {
    const asks = { question: 'Proceed? (y/n)', since: START + MINUTE };
    const asking = snapshot({ asks, ports: [3000] });
    assert.equal(description(asking, 3 * MINUTE), 'asks: Proceed? (y/n) · 2 m');
    assert.equal(
      heard(asking, 3 * MINUTE),
      'npm test, asks "Proceed? (y/n)", has been running for 3 minutes, listens at port 3000',
    );
    assert.deepEqual(iconOf(asking), { icon: 'question', color: 'problemsWarningIcon.foreground' });
    assert.equal(iconOf({ ...asking, controller: 'agent' }).icon, 'question');
    assert.equal(iconOf({ ...asking, waitsForPerson: 'secret' }).icon, 'key');
    assert.ok(rowFlags(asking).includes('waiting'));
    assert.equal(description({ ...asking, stopping: true }, 0), 'stopping… · :3000 · < 1 m');
    const long = snapshot({ asks: { ...asks, question: 'x'.repeat(200) } });
    assert.equal(description(long, MINUTE), `asks: ${'x'.repeat(79)}… · < 1 m`);
    assert.ok(heard(long, MINUTE).includes(`asks "${'x'.repeat(200)}"`), 'which has it in full');
  });

  it('tells menus who controls it', () => {
    const flags = (changes: Partial<SessionSnapshot>) =>
      rowFlags(snapshot(changes)).filter((flag) =>
        ['agent', 'agentControlled', 'taken', 'waiting'].includes(flag),
      );
    assert.deepEqual(flags({}), []);
    assert.deepEqual(flags({ controller: 'agent' }), ['agent', 'agentControlled']);
    assert.deepEqual(flags({ controller: 'person' }), ['agent', 'taken']);
    assert.deepEqual(flags({ controller: 'agent', waitsForPerson: 'secret' }), [
      'agent',
      'agentControlled',
      'waiting',
    ]);
    assert.deepEqual(flags({ controller: 'agent', state: 'exited' }), ['agent']);
    assert.deepEqual(flags({ controller: 'person', state: 'lost' }), ['agent']);
    assert.equal(
      sessionRow(snapshot({ controller: 'agent' }), START, english).contextValue,
      ';session;running;tty;stdin;closable;agent;agentControlled;unpinned;',
    );
  });

  it('tells menus what can be done with it', () => {
    assert.deepEqual(rowFlags(snapshot()), ['session', 'running', 'tty', 'stdin', 'closable']);
    assert.deepEqual(rowFlags(snapshot({ tty: false })), ['session', 'running', 'pipes']);
    assert.deepEqual(rowFlags(snapshot({ tty: false, pipeStdin: true })), [
      'session',
      'running',
      'pipes',
      'stdin',
      'closable',
    ]);
    const lacks = ['closeStdin'] as const;
    assert.ok(!rowFlags(snapshot({ tty: false, pipeStdin: true, lacks })).includes('closable'));
    assert.ok(rowFlags(snapshot({ lacks })).includes('closable'), 'in a terminal it is a key');
    assert.deepEqual(
      rowFlags(snapshot({ tty: false, pipeStdin: true, inputClosed: true })),
      ['session', 'running', 'pipes'],
      'its input has been closed',
    );
    assert.deepEqual(rowFlags(snapshot({ state: 'exited' })), [
      'session',
      'ended',
      'tty',
      'stdin',
      'closable',
    ]);
    assert.deepEqual(rowFlags(snapshot({ state: 'lost' })), [
      'session',
      'ended',
      'closed',
      'tty',
      'stdin',
      'closable',
    ]);
    assert.equal(
      sessionRow(snapshot(), START, english).contextValue,
      ';session;running;tty;stdin;closable;unpinned;',
      'flags are between semicolons',
    );
  });
});
