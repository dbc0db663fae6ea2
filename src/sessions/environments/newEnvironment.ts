import { isRecord, type Localizer } from '../../core/index.js';
import type { EnvironmentDefinition } from '../list/index.js';
import { parseArgv, type Parsed } from '../options/index.js';
import { parseEnvironment } from './parseEnvironments.js';

/** The ways to an exec-server that people are offered. */
export type EnvironmentWay = 'ssh' | 'container' | 'websocket' | 'command';

/** The answers of a person who adds an environment. */
export interface NewEnvironment {
  readonly way: EnvironmentWay;
  /** A host, a container, an address or a command, as it was typed. */
  readonly target: string;
  readonly name: string;
}

/**
 * Makes an entry for the settings from a person's answers.
 *
 * @param taken The ids of the other environments.
 */
export function newEnvironment(
  { way, target, name }: NewEnvironment,
  taken: readonly string[],
  l10n: Localizer,
): Parsed<EnvironmentDefinition> {
  const reached = wayTo(way, target.trim(), l10n);
  if (!reached.ok) {
    return reached;
  }
  const label = name.trim() === '' ? target.trim() : name.trim();
  const entry = { id: freeId(label, taken), name: label, ...reached.value };
  return parseEnvironment(entry, [], l10n);
}

type Way = Parsed<Readonly<Record<string, unknown>>>;

const BRIDGE = ['exec-server', 'bridge', '--stdio'];

function wayTo(way: EnvironmentWay, target: string, l10n: Localizer): Way {
  if (target === '') {
    return { ok: false, message: nothingTyped(way, l10n) };
  }
  switch (way) {
    case 'websocket':
      return { ok: true, value: { kind: 'websocket', url: target } };
    case 'ssh':
    case 'container': {
      // The program would read it as an option, and an option of ssh can start anything.
      if (target.startsWith('-') || /\s/.test(target)) {
        return { ok: false, message: l10n.t('A name has no spaces in it, and does not begin with "-".') };
      }
      const argv = way === 'ssh' ? ['ssh', target, ...BRIDGE] : ['docker', 'exec', '-i', target, ...BRIDGE];
      return { ok: true, value: { kind: 'command', argv } };
    }
    case 'command': {
      const argv = parseArgv(target.startsWith('[') ? fromJson(target) : wordsOf(target), l10n);
      return argv.ok ? { ok: true, value: { kind: 'command', argv: argv.value } } : argv;
    }
  }
}

function nothingTyped(way: EnvironmentWay, l10n: Localizer): string {
  switch (way) {
    case 'ssh':
      return l10n.t('Type a host.');
    case 'container':
      return l10n.t('Type the name of a container.');
    case 'websocket':
      return l10n.t('Type an address.');
    case 'command':
      return l10n.t('Type a command.');
  }
}

/** @returns the text itself if it is not JSON. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The words of a command. A word with spaces is in quotes. */
function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}

/** An id that reads like the name: letters, digits and dashes. */
function freeId(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const base = plain === '' ? 'environment' : plain;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.includes(id)) {
      return id;
    }
  }
}

/** The entry as it is written into the settings: a name that says no more than the id is left out. */
export function environmentEntry({
  name,
  ...entry
}: EnvironmentDefinition): Readonly<Record<string, unknown>> {
  const { id, kind, ...rest } = entry;
  return { id, ...(name !== id && { name }), kind, ...rest };
}

/** The ids in a list of entries, including invalid ones. */
export function idsOf(entries: readonly unknown[]): readonly string[] {
  return entries.flatMap((entry) =>
    isRecord(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [],
  );
}
