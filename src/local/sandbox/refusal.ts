import { constants } from 'node:os';

import { type ExitStatus, type OutputChunk, type OutputStream, UNSEEN } from '../../core/index.js';

/**
 * A failure counts as refused if its output has one of these, in any case. The rule is that of `codex exec-server`,
 * whose clients ask people whether to try it without a sandbox.
 */
const SIGNS = [
  ...['permission denied', 'operation not permitted', 'read-only file system', 'failed to write file'],
  ...['sandbox', 'seccomp', 'landlock'],
];
/** The filter has killed the program. */
const KILLED = 128 + constants.signals.SIGSYS;

/** How the system words a refused access to a file. */
const REASON = /permission denied|operation not permitted|read-only file system/i;
/** `EROFS: read-only file system, open '/x'`, `PermissionError: [Errno 13] Permission denied: '/x'` */
const AFTER_REASON = /^(?:, \w+|:) ('[^']+'|\S+$)/;
/** Each closing quote with its opening one. */
const QUOTES: Readonly<Record<string, string>> = { "'": "'", '"': '"', '’': '‘', '`': '`' };
/** The longest path that Linux takes, in bytes. */
const LONGEST_PATH = 4096;

/**
 * Adds to the status of a process in a sandbox whether the sandbox seems to have refused something.
 *
 * @param output The output that is retained.
 */
export function withRefusal(status: ExitStatus, output: readonly OutputChunk[]): ExitStatus {
  if (status.exitCode === 0) {
    return status;
  }
  // A sign may be split over the chunks of one stream, and over streams in the order of arrival.
  const texts = (['stderr', 'stdout', undefined] as const).map((name) => textOf(output, name));
  const isRefused = texts.some((text) => {
    const lowerCase = text.toLowerCase();
    return SIGNS.some((sign) => lowerCase.includes(sign));
  });
  if (!isRefused && status.exitCode !== KILLED) {
    return status;
  }
  const files = texts.flatMap((text) => text.split('\n').map(fileIn).reverse());
  const file = files.find((name) => name !== undefined);
  return { ...status, refused: file === undefined ? {} : { file } };
}

function textOf(output: readonly OutputChunk[], name: OutputStream | undefined): string {
  const chunks = output.filter(({ stream }) => name === undefined || name === stream);
  return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString('utf8');
}

/** The file that a line is about: a path, or a name in quotes. Other words may be no file. */
function fileIn(line: string): string | undefined {
  const reason = REASON.exec(line);
  if (reason === null) {
    return undefined;
  }
  const [, after] = AFTER_REASON.exec(line.slice(reason.index + reason[0].length).trimEnd()) ?? [];
  const word = after ?? lastWord(line.slice(0, reason.index));
  const inQuotes = word.length > 2 && QUOTES[word.at(-1) ?? ''] === word[0];
  const name = inQuotes ? word.slice(1, -1) : word;
  const isFile = inQuotes || (name.includes('/') && !name.includes(' '));
  return isFile && Buffer.byteLength(name) < LONGEST_PATH && name.search(UNSEEN) === -1 ? name : undefined;
}

/** Ends `bash: /etc/hosts: `, `touch: cannot touch '/x y': ` and `java.io.FileNotFoundException: /x (`. */
function lastWord(text: string): string {
  if (!text.endsWith(': ') && !text.endsWith(' (')) {
    return '';
  }
  const words = text.slice(0, -2);
  const opening = QUOTES[words.at(-1) ?? ''] ?? '';
  return words.slice(words.lastIndexOf(` ${opening}`, words.length - 2) + 1);
}
