import { ExecError, messageOf, oneLine } from '../../core/index.js';

/** The libc that the Node of npm's packages needs. */
export const LEAST_GLIBC = '2.28';

const NO_SHELL = /\bsh\b['"`]?:?.*not found|unknown command:? '?sh\b|not recognized as an? /i;

/** The most characters of another program's words in a failure. */
const REASON_CHARACTERS = 300;

/**
 * The failure if the way ends before the first word of the other side. A program that says why has the word; without
 * one the login has ended by itself.
 */
export function endedEarly(target: string, error: unknown): ExecError {
  const reason = oneLine(messageOf(error), REASON_CHARACTERS);
  if (/Host key verification failed|HOST IDENTIFICATION HAS CHANGED/i.test(reason)) {
    return new ExecError({ kind: 'hostKeyRefused', target });
  }
  if (NO_SHELL.test(reason)) {
    return new ExecError({ kind: 'noShellThere', target, reason });
  }
  return /^it (?:ended with exit code (?!255)\d+|closed its output)$/.test(reason)
    ? new ExecError({ kind: 'loginEnded', target })
    : new ExecError({ kind: 'connectFailed', target, reason });
}

/** The tools that the script looks for. Other words of the other side are not believed. */
const TOOLS = ['uname', 'ls', 'head', 'tar', 'gzip', 'mkdir', 'rm'];

/**
 * The failure that the other side names.
 *
 * @param said Its words after `failed`: a word, and perhaps why.
 */
export function failedThere(target: string, said: string): ExecError {
  const [, kind = '', why = ''] = /^(\S+) ?(.*)$/.exec(said) ?? [];
  const reason = oneLine(why, REASON_CHARACTERS);
  switch (kind) {
    case 'space':
      return new ExecError({ kind: 'noSpaceThere', target });
    case 'system':
      return installFailed(target, 'there are servers for Linux and macOS, on x64 and arm64');
    case 'home':
      return installFailed(target, 'the account has no home there. Set HOME');
    case 'folder':
      return installFailed(
        target,
        'its cache folder exec-sessions is not a folder that only this account can look into. Remove it there',
      );
    case 'tool':
      return installFailed(
        target,
        `it needs ${TOOLS.find((name) => name === why) ?? 'a tool'} there. Install it`,
      );
    case 'node':
      return new ExecError({ kind: 'oldLibcThere', target, reason, least: LEAST_GLIBC });
    default:
      return installFailed(target, reason === '' ? 'it says no reason' : reason);
  }
}

export function installFailed(target: string, reason: string): ExecError {
  return new ExecError({ kind: 'installFailed', target, reason });
}
