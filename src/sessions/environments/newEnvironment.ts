import { isRecord, type Localizer, memberText, parsePlaceText } from '../../core/index.js';
import type { EnvironmentDefinition } from '../list/index.js';
import type { Parsed } from '../options/index.js';
import { parseEnvironment } from './parseEnvironments.js';

/**
 * Makes an entry for the settings from what a person has typed.
 *
 * @param taken The ids of the other environments.
 */
export function newEnvironment(
  typed: string,
  taken: readonly string[],
  l10n: Localizer,
): Parsed<EnvironmentDefinition> {
  const way = wayTo(typed, l10n);
  if (!way.ok) {
    return way;
  }
  const { label, ...reached } = way.value;
  return parseEnvironment({ id: freeId(label, taken), name: label, ...reached }, [], l10n);
}

type Way = Parsed<{ readonly label: string } & Readonly<Record<string, unknown>>>;

function wayTo(typed: string, l10n: Localizer): Way {
  const place = parsePlaceText(typed);
  switch (place.kind) {
    case 'member': {
      const { engine, name, context } = place.member;
      const kind = { kind: engine, target: name, ...(context !== undefined && { context }) };
      return { ok: true, value: { label: memberText(place.member), ...kind } };
    }
    case 'websocket':
      return { ok: true, value: { label: typed.trim(), kind: place.kind, url: place.url } };
    case 'shell':
    case 'command':
      return { ok: true, value: { label: typed.trim(), kind: place.kind, argv: place.argv } };
    case 'socket':
      return {
        ok: false,
        message: l10n.t('A socket is on this machine, whose sessions are listed already.'),
      };
    case 'wrong':
      return { ok: false, message: wrongPlace(place.why, l10n) };
  }
}

function wrongPlace(why: 'empty' | 'name' | 'url', l10n: Localizer): string {
  switch (why) {
    case 'empty':
      return l10n.t('Type the name of a host.');
    case 'name':
      return l10n.t(
        'It names no machine: a host is [user@]host[:port], a container "docker NAME", a pod "kubernetes NAME", a job "slurm NUMBER".',
      );
    case 'url':
      return l10n.t('An address begins with ws:// or wss://, with the name of a machine after it.');
  }
}

/** An id that reads like the name: letters, digits and dashes. */
export function freeId(name: string, taken: readonly string[]): string {
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
