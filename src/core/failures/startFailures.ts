import { english, type Localizer } from '../localizer.js';
import { LINE_LENGTH, oneLine } from '../oneLine.js';
import {
  type FailureForms,
  internal,
  invalidParams,
  invalidRequest,
  type Nothing,
  type OfProcess,
  type WithReason,
} from './failureForm.js';

/** `program` is the requested program, `cwd` the directory to run it in. */
interface OfStart {
  readonly program: string;
  readonly cwd: string;
}

/** Failures to start a process. Every backend has them. */
export interface StartFailures {
  argvEmpty: Nothing;
  programMissing: Nothing;
  nulCharacter: { readonly where: string };
  notText: { readonly where: string };
  badVariableName: { readonly name: string };
  tooManyPatterns: Nothing;
  cwdNotAbsolute: { readonly cwd: string };
  processExists: OfProcess;
  unknownProcess: OfProcess;
  processStarting: OfProcess;
  startCancelled: OfProcess;
  processQuota: { readonly limit: number };
  programNotFound: OfStart;
  programNotExecutable: OfStart;
  interpreterNotFound: OfStart & { readonly interpreter: string };
  cwdNotFound: OfStart;
  cwdNotDirectory: OfStart;
  cmdLineBreak: OfStart;
  cmdTooLong: OfStart & { readonly characters: number; readonly limit: number };
  argumentsTooLong: OfStart;
  startFailed: OfStart & WithReason;
  /** `reason` is a {@link SandboxTrouble}, or the words of bubblewrap. */
  noSandbox: WithReason;
  sandboxLink: { readonly path: string };
}

/**
 * The reason why nothing runs in a sandbox although bubblewrap has not failed. It is not installed, the system is not
 * Linux, or a program with network would reach an exec-server that asks for no token.
 */
export type SandboxTrouble = 'missing' | 'otherSystem' | 'openServer';

/** Whether the system's reason means that the arguments and variables of a start are too long (POSIX and Windows). */
export function isTooLong(reason: string): boolean {
  return /^Argument list too long\b|\(os error 206\)$/.test(reason);
}

export const START_FORMS: FailureForms<StartFailures> = {
  argvEmpty: {
    code: invalidParams,
    wire: () => 'argv must not be empty',
    members: {},
    words: (_, l10n) => l10n.t('There is no command to start: the argument list is empty.'),
  },
  programMissing: {
    code: internal,
    wire: () => 'missing program for spawn',
    members: {},
    words: (_, l10n) => l10n.t('There is no command to start: the program name is empty.'),
  },
  nulCharacter: {
    code: internal,
    wire: () => 'nul byte found in provided data',
    members: { where: 'string' },
    words: ({ where }, l10n) =>
      l10n.t('Cannot start the command: {0} contains a NUL character. Remove it.', where),
  },
  notText: {
    code: invalidParams,
    wire: ({ where }) => `${where} is not a string`,
    members: { where: 'string' },
    words: ({ where }, l10n) => l10n.t('Cannot start the command: {0} is not a text.', where),
  },
  badVariableName: {
    code: invalidParams,
    wire: ({ name }) => `environment variable name contains "=": ${name}`,
    members: { name: 'string' },
    words: ({ name }, l10n) =>
      l10n.t('Cannot start the command: no variable can be called "{0}", since "=" ends its name.', name),
  },
  tooManyPatterns: {
    code: invalidParams,
    wire: () => 'envPolicy has too many patterns for so many variables',
    members: {},
    words: (_, l10n) =>
      l10n.t(
        'Cannot start the command: there are too many patterns of variables for so many variables. Use fewer, or shorter ones.',
      ),
  },
  cwdNotAbsolute: {
    code: invalidParams,
    wire: ({ cwd }) => `cwd is not an absolute path: ${JSON.stringify(cwd)}`,
    members: { cwd: 'string' },
    words: ({ cwd }, l10n) =>
      l10n.t(
        'Cannot start the command: "{0}" is not an absolute path of a directory. Give the whole path.',
        cwd,
      ),
  },
  processExists: {
    code: invalidRequest,
    wire: ({ processId }) => `process ${processId} already exists`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('A process with the id "{0}" exists already. Choose another id.', processId),
  },
  unknownProcess: {
    code: invalidRequest,
    wire: ({ processId }) => `unknown process id ${processId}`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('There is no process with the id "{0}"; it may have been removed.', processId),
  },
  processStarting: {
    code: invalidRequest,
    wire: ({ processId }) => `process id ${processId} is starting`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) =>
      l10n.t('The process "{0}" is still starting. Try again in a moment.', processId),
  },
  startCancelled: {
    code: invalidRequest,
    wire: ({ processId }) => `process ${processId} start was cancelled`,
    members: { processId: 'string' },
    words: ({ processId }, l10n) => l10n.t('The start of "{0}" was cancelled.', processId),
  },
  processQuota: {
    code: invalidRequest,
    wire: ({ limit }) =>
      `at most ${limit} processes of one client may run at a time; end some, or start the exec-server with a larger --max-processes`,
    members: { limit: 'number' },
    words: ({ limit }, l10n) =>
      l10n.t(
        'Cannot start the command: the exec-server lets one client have {0} processes at a time, and so many run. End some of them, or start the exec-server with a larger --max-processes.',
        limit,
      ),
  },
  programNotFound: {
    code: internal,
    wire: () => 'No such file or directory (os error 2)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t(
        'Cannot start "{0}" in {1}: there is no such program. Check its name and the PATH.',
        program,
        cwd,
      ),
  },
  programNotExecutable: {
    code: internal,
    wire: () => 'Permission denied (os error 13)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t('Cannot start "{0}" in {1}: it is not an executable file. Check its permissions.', program, cwd),
  },
  interpreterNotFound: {
    code: internal,
    wire: () => 'No such file or directory (os error 2)',
    members: { program: 'string', cwd: 'string', interpreter: 'string' },
    words: ({ program, cwd, interpreter }, l10n) =>
      l10n.t(
        'Cannot start "{0}" in {1}: it needs {2}, which is not there. Install it, or name another one in the first line of the script.',
        program,
        cwd,
        JSON.stringify(interpreter),
      ),
  },
  cwdNotFound: {
    code: internal,
    wire: () => 'No such file or directory (os error 2)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t('Cannot start "{0}": the directory {1} does not exist. Choose another one.', program, cwd),
  },
  cwdNotDirectory: {
    code: internal,
    wire: () => 'Not a directory (os error 20)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) => l10n.t('Cannot start "{0}": {1} is not a directory.', program, cwd),
  },
  cmdLineBreak: {
    code: invalidParams,
    wire: () => 'cmd.exe cannot be given a line break',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t(
        'Cannot start "{0}" in {1}: cmd.exe runs it, and would end the command at its line break. Put the text into a file, or send it to the standard input.',
        program,
        cwd,
      ),
  },
  cmdTooLong: {
    code: invalidParams,
    wire: ({ characters, limit }) => `cmd.exe takes at most ${limit} characters, got ${characters}`,
    members: { program: 'string', cwd: 'string', characters: 'number', limit: 'number' },
    words: ({ program, cwd, characters, limit }, l10n) =>
      l10n.t(
        'Cannot start "{0}" in {1}: cmd.exe runs it, which takes at most {3} characters, and the command has {2}. Put its arguments into a file.',
        program,
        cwd,
        characters,
        limit,
      ),
  },
  argumentsTooLong: {
    code: internal,
    wire: () => 'Argument list too long (os error 7)',
    members: { program: 'string', cwd: 'string' },
    words: ({ program, cwd }, l10n) =>
      l10n.t(
        'Cannot start "{0}" in {1}: its arguments and variables are too long for the system. Linux allows 128 KiB for one, and about 2 MiB for all together. Put the long text into a file, or send it to the standard input.',
        program,
        cwd,
      ),
  },
  startFailed: {
    code: internal,
    wire: ({ reason }) => reason,
    members: { program: 'string', cwd: 'string', reason: 'string' },
    words: ({ program, cwd, reason }, l10n) =>
      l10n.t('Cannot start "{0}" in {1}: {2}.', program, cwd, reason),
  },
  noSandbox: {
    code: invalidParams,
    wire: ({ reason }) =>
      `this exec-server cannot enforce \`sandbox\`: ${describeTrouble(reason, english)}; nothing was done`,
    members: { reason: 'string' },
    words: ({ reason }, l10n) =>
      l10n.t('Nothing can run in a sandbox on that machine: {0}.', describeTrouble(reason, l10n)),
  },
  sandboxLink: {
    code: invalidParams,
    wire: ({ path }) => describeLink(path, english),
    members: { path: 'string' },
    words: ({ path }, l10n) => describeLink(path, l10n),
  },
};

function describeLink(path: string, l10n: Localizer): string {
  return l10n.t(
    'Nothing was done in the sandbox: {0} has to stay read-only, but it is a link, which the program could replace. Put the file or folder itself there, or ask for no sandbox.',
    path,
  );
}

function describeTrouble(reason: string, l10n: Localizer): string {
  switch (reason as SandboxTrouble) {
    case 'missing':
      return l10n.t('bubblewrap is not installed; install the package "bubblewrap", or ask for no sandbox');
    case 'otherSystem':
      return l10n.t('only Linux has one; ask for no sandbox, or use an exec-server on Linux');
    case 'openServer':
      return l10n.t(
        'with network, a program could start others on the exec-server, which asks for no token; give it a token, or ask for no network',
      );
    default:
      return describeWords(oneLine(reason.trim().split('\n').at(-1) ?? '', LINE_LENGTH), l10n);
  }
}

function describeWords(said: string, l10n: Localizer): string {
  if (/setting up uid map: Permission denied|Failed RTM_NEWADDR/.test(said)) {
    return l10n.t(
      'AppArmor keeps bubblewrap from making one ({0}); install the profile for /usr/bin/bwrap from the documentation, or ask for no sandbox',
      said,
    );
  }
  if (said.includes('Exceeded maximum number of arguments')) {
    return l10n.t(
      'bubblewrap takes no more than some 9,000 arguments, and each variable counts as three; pass fewer, or ask for no sandbox',
    );
  }
  return /Failed to make \/ slave|Can't mount proc|new namespace/.test(said)
    ? l10n.t(
        'the kernel keeps bubblewrap from making one, as in most containers ({0}); ask for no sandbox, or use an exec-server outside of the container',
        said,
      )
    : l10n.t('bubblewrap fails ({0}); ask for no sandbox', said);
}
