import { commandSecrets } from './commandSecrets.js';
import { knownSecrets } from './knownSecrets.js';
import { namedSecrets } from './namedSecrets.js';
import { ARGUMENT } from './values.js';

/** The text in place of a secret. */
const MASK = '***';

/**
 * Takes evident secrets out of a text with command lines. Secrets are values of names such as `password`, passwords in
 * URLs, tokens of known forms, and what known programs take as a password. Takes linear time. Mask a text before it is
 * cut: the part of a secret that remains may not be recognised.
 */
export function maskSecrets(text: string): string {
  const { secrets, plain } = commandSecrets(text);
  const named = namedSecrets(text).filter(({ start }) => !plain.has(start));
  const spans = [...knownSecrets(text), ...named, ...secrets].sort((a, b) => a.start - b.start);
  let masked = '';
  let done = 0;
  for (const { start, end } of spans) {
    if (start > done || (start === 0 && done === 0)) {
      masked += text.slice(done, start) + MASK;
    }
    if (end > done) {
      // A mask keeps the bounds of arguments.
      masked += text
        .slice(Math.max(start, done), end)
        .replace(/[^\0]+/g, '')
        .replaceAll(ARGUMENT, ARGUMENT + MASK);
      done = end;
    }
  }
  return masked + text.slice(done);
}

/** The arguments with evident secrets masked, including secrets that an earlier argument announces. */
export function maskArguments(argv: readonly string[]): readonly string[] {
  return maskSecrets(argv.map((argument) => ARGUMENT + argument).join(''))
    .split(ARGUMENT)
    .slice(1);
}
