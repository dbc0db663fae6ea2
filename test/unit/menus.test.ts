import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { english } from '../../src/core/index.js';
import { environmentRow } from '../../src/sessions/environments/environmentRow.js';
import { engineRow, type ListedEngine, memberRow } from '../../src/sessions/environments/engineRow.js';
import type { EnvironmentSnapshot } from '../../src/sessions/list/environment.js';
import type { TreeGroup } from '../../src/sessions/tree/index.js';
import { receiptRow, sessionRow, terminalContext } from '../../src/sessions/words/index.js';
import { assertGolden } from '../support/golden.js';
import { sampleReceipt } from '../support/sampleReceipt.js';
import { type ContextKeys, holdsWhen } from '../support/whenClause.js';
import { closed, snapshot, START, thisMachine } from './sessions/snapshots.js';

interface MenuEntry {
  readonly command: string;
  readonly when?: string;
  readonly group: string;
}

interface Manifest {
  readonly contributes: {
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly when: string;
    }[];
  };
}

type Moments = Readonly<Record<string, ContextKeys>>;

const read = (file: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../..', file), 'utf8'));
const { menus, keybindings } = (read('package.json') as Manifest).contributes;
const titles = read('package.nls.json') as Readonly<Record<string, string>>;
const titleOf = (command: string): string =>
  titles[`command.${command.replace(/^execSessions\.|InTerminal$/g, '')}`] ?? command;

const survivors = [{ pid: 7, startTime: '5', command: 'ssh-agent', why: 'otherSession' }] as const;
const agent = { origin: { kind: 'agent' }, controller: 'agent', owned: true } as const;
const sessions = {
  'starts': snapshot({ state: 'starting' }),
  'runs in a terminal': snapshot(),
  'runs with pipes': snapshot({ tty: false }),
  'runs with pipes and takes input': snapshot({ tty: false, pipeStdin: true }),
  'runs where its pipe cannot be closed': snapshot({ tty: false, pipeStdin: true, lacks: ['closeStdin'] }),
  'runs, its output could be kept': snapshot({ outputOnDisk: 'none' }),
  'runs, its output is kept': snapshot({ outputOnDisk: 'kept' }),
  'runs for an agent': snapshot(agent),
  'runs for an agent, kept': snapshot({ ...agent, keep: true }),
  'was taken from its agent': snapshot({ ...agent, controller: 'person' }),
  'has exited, its output goes on': snapshot({ state: 'exited', exit: { exitCode: 0 }, survivors }),
  'is closed': closed({ exitCode: 0 }),
  'is closed, of an agent': { ...closed({ exitCode: 0 }), ...agent },
  'is closed and has left something running': { ...closed({ exitCode: 0 }), survivors },
  'is lost': snapshot({ state: 'lost' }),
} as const;
const server: EnvironmentSnapshot = { ...thisMachine, id: 'box', kind: 'websocket', target: 'ws://box' };
const environments: Readonly<Record<string, EnvironmentSnapshot>> = {
  'This machine': thisMachine,
  'An environment that is connected': server,
  'An environment that is not': { ...server, state: { kind: 'disconnected' } },
  'An environment that is connected by a command': { ...server, kind: 'command' },
  'An environment that is connected, out of the settings': { ...server, removed: true },
  'An environment that is not, out of the settings': {
    ...server,
    removed: true,
    state: { kind: 'disconnected' },
  },
};
const engine: ListedEngine = {
  definition: { id: 'boxes', name: 'Boxes', kind: 'podman', members: '' },
  listing: { kind: 'unread' },
};
const allocation: ListedEngine = {
  ...engine,
  definition: { id: 'slurm-7', name: 'Slurm job 7', kind: 'slurm', members: '7' },
};
/** All kinds, which the compiler looks after. */
const groups: Readonly<Record<Exclude<TreeGroup['kind'], 'batch'>, string>> = {
  running: 'The group of what runs',
  exited: 'The group of what has exited',
  closed: 'The group of what is closed',
  succeeded: 'The group of what succeeded',
  pinned: 'The group of what is pinned',
  owner: 'The group of an owner',
  folder: 'The group of a folder',
  elsewhere: 'The group of what is elsewhere',
};

const rows: Readonly<Record<string, string>> = {
  ...mapKeys(
    sessions,
    (name) => `A session that ${name}`,
    (one) => sessionRow(one, START, english).contextValue,
  ),
  'A session that is closed, its row not yet in place': sessionRow(sessions['is closed'], START, english, {
    held: true,
  }).contextValue,
  'A session that is pinned': sessionRow(sessions['is closed'], START, english, { pinned: true })
    .contextValue,
  ...mapKeys(
    environments,
    (name) => name,
    (one) => environmentRow(one, START, english).contextValue,
  ),
  ...Object.fromEntries(Object.entries(groups).map(([kind, name]) => [name, `;group;${kind};`])),
  'A group within an environment': ';innerGroup;',
  'A batch that goes on': ';batch;going;',
  'A batch with failures': ';batch;failed;',
  'A batch that goes on, with failures': ';batch;failed;going;',
  'An engine': engineRow(engine, english).contextValue,
  'An allocation of Slurm': engineRow(allocation, english).contextValue,
  'A member that runs': memberContext('running'),
  'A member that has ended': memberContext('ended'),
  'A row that only tells something': ';note;',
  'The group of sessions of before': ';earlier;',
  'An earlier session': receiptContext(false),
  'An earlier session, with its output': receiptContext(true),
  'A process that is no session': ';sighting;live;',
  'A process that is no session and has ended': ';sighting;',
  'A port of a session': ';port;',
  'A port of a session in an environment': ';portThere;',
  'What a session uses': ';usage;',
};

function memberContext(state: 'running' | 'ended'): string {
  return memberRow(engine, 'web', { name: 'web', state }, undefined, START, english).contextValue;
}

function receiptContext(withOutput: boolean): string {
  const receipt = {
    ...sampleReceipt('r1'),
    end: { kind: 'exit', at: START, status: { exitCode: 0 } },
  } as const;
  return receiptRow(receipt, START, english, String, withOutput).contextValue;
}

function mapKeys<Value, Result>(
  all: Readonly<Record<string, Value>>,
  name: (key: string) => string,
  result: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [name(key), result(value)]));
}

const groupOf = (group: string): string => group.split('@')[0] ?? '';

/** VS Code's order: buttons first, then the groups by their names, and in a group by the number after the `@`. */
function inOrder(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  const key = ({ group, command }: MenuEntry) => {
    const [name = '', number = '0'] = group.split('@');
    return `${name === 'navigation' || name === 'inline' ? ' ' : name}@${number.padStart(3, '0')}${titleOf(command)}`;
  };
  return entries.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** The entries of a menu at each of these moments, a group in each line. */
function tableOf(menu: string, moments: Moments): string {
  const tables = Object.entries(moments).map(([moment, keys]) => {
    const offered = inOrder((menus[menu] ?? []).filter(({ when }) => holdsWhen(when, keys)));
    const names = new Set(offered.map(({ group }) => groupOf(group)));
    const lines = [...names].map((name) => {
      const members = offered.filter(({ group }) => groupOf(group) === name);
      return `  ${name}: ${members.map(({ command }) => titleOf(command)).join(' | ')}`;
    });
    return [moment, ...(lines.length === 0 ? ['  nothing'] : lines), ''].join('\n');
  });
  return tables.join('\n');
}

/** The effect of each key at each of these moments. */
function keysAt(moments: Moments): string {
  const tables = Object.entries(moments).map(([moment, keys]) => {
    const lines = keybindings
      .filter(({ when }) => holdsWhen(when, keys))
      .map(({ key, command }) => `  ${key}: ${titleOf(command)}`);
    return [moment, ...(lines.length === 0 ? ['  nothing'] : lines), ''].join('\n');
  });
  return tables.join('\n');
}

describe('the menus', () => {
  const view = 'execSessions.sessions';
  const folder = import.meta.dirname;

  it('offer on each kind of row what is for it, in this order', () => {
    const moments = mapKeys(
      rows,
      (name) => name,
      (viewItem) => ({ view, viewItem }),
    );
    assertGolden(folder, 'rows', tableOf('view/item/context', moments));
  });

  it('offer nothing in views of other extensions, whatever their rows claim', () => {
    for (const set of [true, false]) {
      const state = { 'execSessions.filtered': set, 'execSessions.elsewhereInPlace': set };
      const others = mapKeys(
        rows,
        (name) => name,
        (viewItem) => ({ view: 'others', viewItem, ...state }),
      );
      for (const menu of ['view/item/context', 'view/title']) {
        assert.deepEqual(new Set(tableOf(menu, others).match(/^  .+$/gm)), new Set(['  nothing']), menu);
      }
    }
  });

  it('offer in the title of the view what fits its state', () => {
    const table = tableOf('view/title', {
      'The view': { view },
      'The view, filtered': { view, 'execSessions.filtered': true },
      'The view, with what is elsewhere in place': { view, 'execSessions.elsewhereInPlace': true },
    });
    assertGolden(folder, 'title', table);
  });

  it('offer in a terminal and on its tab what fits its session', () => {
    const moments = {
      ...mapKeys(
        {
          'starts': sessions.starts,
          'runs': sessions['runs in a terminal'],
          'runs for an agent': sessions['runs for an agent'],
          'was taken from its agent': sessions['was taken from its agent'],
          'has exited, its output goes on': sessions['has exited, its output goes on'],
          'is closed': sessions['is closed'],
          'is lost': sessions['is lost'],
        },
        (name) => `A terminal whose session ${name}`,
        (one) => ({ 'execSessions.activeTerminal': terminalContext(one) }),
      ),
      'A terminal of VS Code': { 'execSessions.activeTerminal': '' },
      'Before any terminal was active': {},
    };
    const table = tableOf('terminal/context', moments);
    assertGolden(folder, 'terminals', table);
    assert.equal(tableOf('terminal/title/context', moments), table, 'the menu of the tab has the same');
  });

  it('offer something where files are, and in the diagnostics', () => {
    const moments = mapKeys(
      {
        'A file': 'file',
        'A file of a remote machine': 'vscode-remote',
        'A text without a file': 'untitled',
        'The diagnostics': 'exec-sessions-diagnostics',
        'The output of a session': 'exec-sessions-output',
      },
      (name) => name,
      (resourceScheme) => ({ resourceScheme }),
    );
    const tables = ['explorer/context', 'editor/context', 'editor/title/context', 'editor/title'].map(
      (menu) => `## ${menu}\n\n${tableOf(menu, moments)}`,
    );
    assertGolden(folder, 'files', tables.join('\n'));
  });

  it('are all covered by these tables', () => {
    const tested = ['view/item/context', 'view/title', 'terminal/context', 'terminal/title/context'];
    const withFiles = ['explorer/context', 'editor/context', 'editor/title/context', 'editor/title'];
    assert.deepEqual(new Set(Object.keys(menus)), new Set([...tested, ...withFiles, 'commandPalette']));
  });

  it('have keys beside them, each where it has something to act on', () => {
    const list = { focusedView: view, listFocus: true };
    const row = { ...list, treeElementHasParent: true };
    const inTerminal = { 'terminalFocus': true, 'execSessions.activeTerminal': terminalContext(snapshot()) };
    const table = keysAt({
      'A session below a group': row,
      'A session below a group, with rows below it': { ...row, treeElementHasChild: true },
      'A row without a group': list,
      'A group': { ...list, treeElementHasChild: true },
      'A row while somebody types into the search': { ...row, inputFocus: true },
      'The view while none of its rows has the keyboard': { focusedView: view, treeElementHasParent: true },
      'A row of another view': { ...row, focusedView: 'others' },
      'A terminal of a session': inTerminal,
      'A terminal of a session while something else has the keyboard': {
        ...inTerminal,
        terminalFocus: false,
      },
      'A terminal of VS Code': { 'terminalFocus': true, 'execSessions.activeTerminal': '' },
    });
    assertGolden(folder, 'keys', table);
  });
});
