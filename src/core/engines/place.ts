import { quoteCommandLine } from '../launch/command.js';
import { ENGINES, type EngineKind, isMemberName, type Member, memberText } from './member.js';

/** A place as people type it, with `--on` or into the box of Add Environment. */
export type TypedPlace =
  | { readonly kind: 'websocket'; readonly url: string }
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'member'; readonly member: Member }
  /** A command that runs its last argument in a shell of the other side. */
  | { readonly kind: 'shell'; readonly argv: readonly string[] }
  /** A command that speaks the protocol on its standard input and output. */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'wrong'; readonly why: 'empty' | 'name' | 'url' };

const OTHER_NAMES: Readonly<Record<string, EngineKind>> = { kubectl: 'kubernetes', srun: 'slurm' };

/** The place as people see it; it can be typed again. */
export function placeText(place: Exclude<TypedPlace, { readonly kind: 'wrong' }>): string {
  switch (place.kind) {
    case 'websocket':
      return place.url;
    case 'socket':
      return `unix://${place.path}`;
    case 'member':
      return memberText(place.member);
    case 'shell':
    case 'command':
      return quoteCommandLine(place.argv);
  }
}

/** Reads a place: an address, a host, an engine with the name of a member, or else a command. */
export function parsePlaceText(typed: string): TypedPlace {
  const text = typed.trim();
  if (text === '') {
    return { kind: 'wrong', why: 'empty' };
  }
  if (/^wss?:/.test(text)) {
    return /^wss?:\/\/[^\s/]\S*$/.test(text)
      ? { kind: 'websocket', url: text }
      : { kind: 'wrong', why: 'url' };
  }
  const [, socket] = /^unix:\/\/(\/.+)$/s.exec(text) ?? [];
  if (socket !== undefined) {
    return { kind: 'socket', path: socket };
  }
  const words = text.startsWith('[') ? (listIn(text) ?? wordsOf(text)) : wordsOf(text);
  const [first = '', second] = words;
  if (first === '') {
    return { kind: 'wrong', why: 'empty' };
  }
  if (words.length === 1) {
    return placeOf({ engine: 'ssh', name: first });
  }
  const engine = ENGINES.find((kind) => kind === first) ?? OTHER_NAMES[first];
  if (engine !== undefined && second !== undefined && words.length === 2) {
    return placeOf({ engine, name: second });
  }
  return {
    kind: words.some((word) => /(?:^|[/\\])exec-server(?:\.js)?$/.test(word)) ? 'command' : 'shell',
    argv: words,
  };
}

function placeOf(member: Member): TypedPlace {
  return isMemberName(member.engine, member.name)
    ? { kind: 'member', member }
    : { kind: 'wrong', why: 'name' };
}

/** @returns undefined for text that is no JSON list of strings. */
function listIn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The words of a command. A word with spaces is in quotes. */
export function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}
