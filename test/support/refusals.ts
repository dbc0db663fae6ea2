import type { OutputStream } from '../../src/core/index.js';

/** One piece of output. */
export type Written = readonly [stream: OutputStream, text: string | Uint8Array];

/** The end of a process in a sandbox, and whether it counts as refused. */
interface Refusal {
  readonly title: string;
  readonly refused: boolean;
  readonly exitCode: number;
  readonly written: readonly Written[];
}

const CASES: readonly (readonly [title: string, refused: boolean, exitCode: number, ...Written[]])[] = [
  ['a failure without output', false, 1],
  ['success, whatever was written', false, 0, ['stdout', 'Permission denied\n']],
  ['"permission denied" in any case', true, 1, ['stdout', 'PERMISSION Denied\n']],
  ['"operation not permitted" on the error output', true, 1, ['stderr', 'Operation not permitted\n']],
  ['"read-only file system"', true, 3, ['stdout', 'read-only file system\n']],
  ['"failed to write file"', true, 1, ['stdout', 'failed to write file\n']],
  ['"sandbox"', true, 1, ['stdout', 'the SandBox said\n']],
  ['"seccomp"', true, 1, ['stdout', 'SECCOMP\n']],
  ['"landlock" inside a word', true, 1, ['stdout', 'xlandlocky\n']],
  ['code 159 by itself', true, 159],
  ['the names of errors', false, 1, ['stdout', 'EACCES EPERM EROFS\n']],
  ['codes that shells use for other failures', true, 127, ['stdout', 'permission denied\n']],
  ['an end by a signal', true, 143, ['stdout', 'permission denied\n']],
  ['a terminal', true, 1, ['pty', 'Permission denied\r\n']],
  ['words in two chunks', true, 1, ['stdout', 'permission '], ['stdout', 'denied']],
  [
    'words in two chunks around another stream',
    true,
    1,
    ['stdout', 'permission '],
    ['stderr', 'x'],
    ['stdout', 'denied'],
  ],
  ['words in two streams', true, 1, ['stderr', 'permission '], ['stdout', 'denied']],
  ['words with two spaces', false, 1, ['stdout', 'permission  denied']],
  ['words on two lines', false, 1, ['stdout', 'permission\r\ndenied']],
  ['words with a color between them', false, 1, ['stdout', 'permission \u001b[31mdenied']],
  [
    'words between bytes that are no text',
    true,
    1,
    ['stdout', Buffer.from('\xffpermission denied\0', 'latin1')],
  ],
];

/** The rule of `codex exec-server` by examples. */
export const REFUSALS: readonly Refusal[] = CASES.map(([title, refused, exitCode, ...written]) => ({
  title,
  refused,
  exitCode,
  written,
}));
