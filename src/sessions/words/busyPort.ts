/** A line of a program that could not listen where it wanted to, in the words of Node, Go, Ruby, Java and others. */
const REFUSED = /EADDRINUSE|address (?:is )?already in use|port \d+ is (?:already )?in use/i;

const NUMBER = /(?<![\d.]|errno )\d{2,5}(?![\d.]*\d)/gi;

/**
 * The TCP port that a program says it could not have, since another one listens there; undefined if it says nothing of
 * the kind. Whether anybody listens there must be looked up.
 */
export function busyPortIn(text: string): number | undefined {
  const ports = text
    .split(/\r?\n/)
    .filter((line) => REFUSED.test(line))
    // Node repeats the name of the error on a line without the port.
    .flatMap((line) => line.match(NUMBER)?.at(-1) ?? [])
    .map(Number);
  return ports.findLast((port) => port >= 1 && port <= 65_535);
}
