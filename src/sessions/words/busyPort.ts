/** A line of a program that could not listen where it wanted to, in the words of Node, Go, Ruby, Java and others. */
const REFUSED = /EADDRINUSE|address (?:is )?already in use|port \d+ is (?:already )?in use/i;

/** Words of a program that goes on with another port. */
const GOES_ON =
  /\b(?:try|trying|using|switching to|falling back to) (?:\w+ ){0,2}(?:another|next|different|instead|port)\b|\binstead\b/i;

/**
 * Numbers that are not ports: dates, times of the day, places in files, and the number of the error on Linux, macOS and
 * Windows.
 */
const OTHER_NUMBERS = [
  /(?<![\d.])\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?![.\d])T?/g,
  /(?<![\d.:\]])\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?![\d:])Z?/g,
  /\.[a-z]\w*:\d+(?::\d+)?(?=[:\s),])/gi,
  /(?<![\d:]|port )(?:48|98|10048)(?!\d)/gi,
];

const NUMBER = /(?<![\d.])\d{2,5}(?![\d.]*\d)/g;

/** The port that a program could not have, as its output says. */
export interface BusyPort {
  /** The named port. The caller must check whether a program listens there. */
  readonly port: number | undefined;
}

/**
 * Finds the TCP port that a program could not have because another program listens there; undefined if the output names
 * none.
 */
export function busyPortIn(text: string): BusyPort | undefined {
  const lines = text.split(/\r?\n/).filter((line) => REFUSED.test(line) && !GOES_ON.test(line));
  if (lines.length === 0) {
    return undefined;
  }
  // Node repeats the name of the error on a line without the port.
  const ports = lines.flatMap((line) => portIn(line) ?? []);
  return { port: ports.at(-1) };
}

function portIn(line: string): number | undefined {
  const rest = OTHER_NUMBERS.reduce((text, other) => text.replaceAll(other, ' '), line);
  const numbers = (rest.match(NUMBER) ?? []).map(Number);
  return numbers.findLast((port) => port >= 1 && port <= 65_535);
}
