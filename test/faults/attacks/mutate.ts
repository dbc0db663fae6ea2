import type { Random } from '../../support/random.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** Values that are rarely expected. No value is a path that exists. */
const ODD: readonly [Json, ...Json[]] = [
  null,
  true,
  -1,
  0,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  '',
  ' ',
  '\0',
  '\u202e\u001b[31m\u0085\n',
  '*'.repeat(50),
  'x'.repeat(10_000),
  [],
  [[[]]],
  {},
  { constructor: { prototype: { polluted: true } }, toString: null },
  JSON.parse('{"__proto__":{"polluted":true}}') as Json,
];

/** The value with a change at one place, which is chosen by chance. */
export function mutate(value: Json, random: Random): Json {
  if (isList(value) && value.length > 0 && random.next() < 0.8) {
    const index = random.between(0, value.length - 1);
    switch (random.between(0, 3)) {
      case 0:
        return value.filter((_, place) => place !== index);
      case 1:
        return value.flatMap((item) => [item, item]);
      default:
        return value.map((item, place) => (place === index ? mutate(item, random) : item));
    }
  }
  if (isRecord(value) && random.next() < 0.9) {
    const members = Object.entries(value);
    const [name, inner] = members[random.between(0, members.length - 1)] ?? ['', null];
    switch (random.between(0, 9)) {
      case 0:
        return Object.fromEntries(members.filter(([member]) => member !== name));
      case 1:
        return { ...value, [`${name}2`]: random.of(ODD) };
      default:
        return { ...value, [name]: mutate(inner, random) };
    }
  }
  return random.of(ODD);
}

/** The text with one thing wrong, so that it may be no message at all. */
export function damage(text: string, random: Random): string {
  const place = random.between(0, text.length);
  switch (random.between(0, 6)) {
    case 0:
      return text.slice(0, place);
    case 1:
      return `${text.slice(0, place)}${String.fromCodePoint(random.between(0, 0x1f))}${text.slice(place)}`;
    case 2:
      return `[${text},${text}]`;
    case 3:
      return `${'['.repeat(random.between(1, 20_000))}${text}`;
    case 4:
      return `"${text}`;
    case 5:
      // Half a character, which the wire does not know.
      return text.replace('"', '"\\ud800');
    default:
      return text.replace(/[{}:,]/, '');
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !isList(value);
}
