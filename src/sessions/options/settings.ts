import { english, isRecord, type Localizer, shorten, type VariableChanges } from '../../core/index.js';
import { describeValue } from './commandInput.js';
import { readVariables } from './variables.js';

/** One setting: its key, its valid values, and the value that applies if it is malformed. */
export interface SettingDefinition<T> {
  /** The setting's id without `execSessions.`. */
  readonly key: string;
  readonly fallback: T;
  /** Returns the value, or undefined if it is malformed. */
  parse(value: unknown): T | undefined;
  /** The valid values, in words that follow "must be". */
  wanted(l10n: Localizer): string;
  /** A malformed value, as a message may show it. */
  readonly show?: (value: unknown) => string;
  /** Names the parts that {@link parse} has left out of a value. */
  readonly leftOut?: (value: unknown, l10n: Localizer) => readonly string[];
}

export const SETTINGS_SECTION = 'execSessions';

/** The process that runs the sessions of this machine: the session server, or each window for itself. */
type LocalBackendChoice = 'server' | 'extensionHost';

/** Whether the session server writes down how sessions have ended. */
type ReceiptsChoice = 'on' | 'off';

/** Whether the output of sessions is kept on disk as well. */
type KeepOnDisk = 'off' | 'on';

export type CloseAction = 'detach' | 'stop' | 'ask';

/** The ends of sessions that people are told of. `marked`: only the sessions that they have chosen. */
export type NotifyAbout = 'off' | 'failures' | 'all' | 'marked';

/** Every setting of the extension; package.json declares the same ones. */
export const settingDefinitions = {
  retainedMiB: number('output.retainedMegabytes', 1, { from: 0.0625, to: 256 }),
  retainedChunks: number('output.retainedChunks', 50_000, { from: 100, to: 5_000_000, whole: true }),
  totalRetainedMiB: number('output.totalRetainedMegabytes', 64, { from: 1, to: 4_096 }),
  keepOutputOnDisk: choice<KeepOnDisk>('output.keepOnDisk', 'off', ['off', 'on']),
  diskMiB: number('output.diskMegabytes', 20, { from: 1, to: 1_024 }),
  totalDiskMiB: number('output.totalDiskMegabytes', 200, { from: 1, to: 65_536 }),
  endedSessions: number('list.endedSessions', 200, { from: 0, to: 10_000, whole: true }),
  terminalOnClose: choice<CloseAction>('terminal.onClose', 'detach', ['detach', 'stop', 'ask']),
  notify: choice<NotifyAbout>('notify', 'failures', ['off', 'failures', 'all', 'marked']),
  interruptMs: number('stop.interruptMilliseconds', 1_500, { from: 0, to: 600_000, whole: true }),
  hangupMs: number('stop.hangupMilliseconds', 1_000, { from: 0, to: 600_000, whole: true }),
  terminateMs: number('stop.terminateMilliseconds', 2_500, { from: 0, to: 600_000, whole: true }),
  killMs: number('stop.killMilliseconds', 2_000, { from: 0, to: 600_000, whole: true }),
  confirmKill: flag('confirmKill', true),
  shellPath: text('shell.path', ''),
  shellArguments: texts('shell.arguments', []),
  folderEnvironment: flag('shell.folderEnvironment', true),
  env: variables('env', {}),
  environments: entries('environments'),
  localBackend: choice<LocalBackendChoice>('local.backend', 'server', ['server', 'extensionHost']),
  keepWithoutClientHours: number('local.keepWithoutClient', 12, { from: -1, to: 8_760 }),
  receipts: choice<ReceiptsChoice>('receipts', 'on', ['on', 'off']),
  otherProcesses: flag('view.otherProcesses', true),
  agentsEnabled: flag('agents.enabled', true),
} as const;

export type SettingName = keyof typeof settingDefinitions;

export type SettingValue<Name extends SettingName> =
  (typeof settingDefinitions)[Name] extends SettingDefinition<infer T> ? T : never;

/** Says which setting is wrong, and what is used instead or left out; undefined if nothing is wrong. */
export function settingProblem(name: SettingName, value: unknown, l10n: Localizer): string | undefined {
  const definition: SettingDefinition<unknown> = settingDefinitions[name];
  if (definition.parse(value) === undefined) {
    return l10n.t(
      'The setting "{0}" is {1}, but it must be {2}. The default, {3}, is used.',
      settingId(name),
      (definition.show ?? describeValue)(value),
      definition.wanted(l10n),
      describeValue(definition.fallback),
    );
  }
  const leftOut = definition.leftOut?.(value, l10n) ?? [];
  return leftOut.length === 0
    ? undefined
    : l10n.t(
        'The setting "{0}" has variables that are left out. {1}',
        settingId(name),
        shorten(leftOut.join(' '), SHOWN_LENGTH),
      );
}

export function settingId(name: SettingName): string {
  return `${SETTINGS_SECTION}.${settingDefinitions[name].key}`;
}

function number(
  key: string,
  fallback: number,
  { from, to, whole = false }: { from: number; to: number; whole?: boolean },
): SettingDefinition<number> {
  return {
    key,
    fallback,
    parse: (value) =>
      typeof value === 'number' && value >= from && value <= to && (!whole || Number.isInteger(value))
        ? value
        : undefined,
    wanted: (l10n) =>
      whole
        ? l10n.t('a whole number from {0} to {1}', from, to)
        : l10n.t('a number from {0} to {1}', from, to),
  };
}

function flag(key: string, fallback: boolean): SettingDefinition<boolean> {
  return {
    key,
    fallback,
    parse: (value) => (typeof value === 'boolean' ? value : undefined),
    wanted: (l10n) => l10n.t('true or false'),
  };
}

function choice<T extends string>(key: string, fallback: T, values: readonly T[]): SettingDefinition<T> {
  return {
    key,
    fallback,
    parse: (value) => values.find((one) => one === value),
    wanted: (l10n) => l10n.t('one of {0}', values.map((one) => `"${one}"`).join(', ')),
  };
}

function text(key: string, fallback: string): SettingDefinition<string> {
  return {
    key,
    fallback,
    parse: (value) => (typeof value === 'string' ? value : undefined),
    wanted: (l10n) => l10n.t('a string'),
  };
}

function texts(key: string, fallback: readonly string[]): SettingDefinition<readonly string[]> {
  return {
    key,
    fallback,
    parse: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
    wanted: (l10n) => l10n.t('a list of strings'),
  };
}

/** A list whose entries are checked one by one, where they are used. */
function entries(key: string): SettingDefinition<readonly unknown[]> {
  return {
    key,
    fallback: [],
    parse: (value) => (Array.isArray(value) ? value : undefined),
    wanted: (l10n) => l10n.t('a list of objects'),
    show: typeOnly,
  };
}

const SHOWN_LENGTH = 400;

function variables(key: string, fallback: VariableChanges): SettingDefinition<VariableChanges> {
  return {
    key,
    fallback,
    parse: (value) => (isRecord(value) ? readVariables(value, english).changes : undefined),
    wanted: (l10n) => l10n.t('an object of names and values'),
    show: typeOnly,
    leftOut: (value, l10n) => (isRecord(value) ? readVariables(value, l10n).problems : []),
  };
}

/** For a value that may contain anything, also secrets. */
function typeOnly(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? '[…]' : typeof value;
}
