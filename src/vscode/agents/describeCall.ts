import * as vscode from 'vscode';

import type { ToolDefinition } from '../../agent/index.js';
import { plainInput } from '../../agent/input/plainInput.js';
import { oneLine, quoteArgument, quoteCommandLine, shorten } from '../../core/index.js';
import { escapeMarkdown } from '../../sessions/words/index.js';
import type { CallPlace } from './callPlace.js';
import { shownCommand, shownInput } from './shownText.js';

/** A call in words for people, as Markdown but for the title. */
interface CallDescription {
  /** The text while the call is under way. */
  readonly doing: string;
  /** The question before the call; absent if nothing is asked. */
  readonly question?: { readonly title: string; readonly body: string };
}

/** The most characters of a command, or of another text of a model, in one line. */
const LINE_LENGTH = 80;
/** The most characters of a directory; a longer one would push the text after it out of sight. */
const DIRECTORY_LENGTH = 300;
/** The most characters of the names of keys. The names of all keys that a call may have are shorter. */
const KEYS_LENGTH = 3_000;

/** @param input The input that a model sent. It may be anything, and is checked when the tool is called. */
export function describeCall(definition: ToolDefinition, input: unknown, place: CallPlace): CallDescription {
  const { name } = definition;
  // People see what the tool will do, also with a command that the model calls "command".
  const plain = plainInput(name, typeof input === 'object' && input !== null ? input : {});
  const given = new Given(plain.input, place);
  switch (name) {
    case 'exec_command':
      return describeStart(given);
    case 'write_stdin':
      return describeInput(given);
    case 'read_output':
      return { doing: vscode.l10n.t('Reading the output of {0}', given.session) };
    case 'wait_for':
      return { doing: vscode.l10n.t('Waiting for {0}', given.session) };
    case 'list_sessions':
      return { doing: vscode.l10n.t('Listing sessions') };
    case 'stop_session':
      return describeStop(given);
    case 'send_signal':
      return describeSignal(given);
  }
}

function describeStart(given: Given): CallDescription {
  const argv = given.texts('argv');
  const command = given.text('cmd') ?? (argv === undefined ? '' : quoteCommandLine(argv));
  const { label, directory } = given.place;
  const facts = [
    vscode.l10n.t(
      '**Directory**: {0}',
      escapeMarkdown(
        directory === undefined
          ? vscode.l10n.t('the directory of the environment')
          : shorten(directory, DIRECTORY_LENGTH),
      ),
    ),
    vscode.l10n.t('**Environment**: {0}', escapeMarkdown(shorten(label, LINE_LENGTH))),
    given.flag('tty') ? vscode.l10n.t('It runs in a terminal.') : [],
    given.flag('login') ? vscode.l10n.t('The shell is a login shell, which reads your profile.') : [],
    argv !== undefined && given.text('cmd') === undefined
      ? vscode.l10n.t('It is run as this list of arguments, without a shell.')
      : [],
  ].flat();
  return {
    doing: vscode.l10n.t('Running {0}', inline(command)),
    question: {
      title: vscode.l10n.t('Run this command?'),
      body: apart(facts, shownCommand([...changesOf(given.record('env')), command].join('\n'))),
    },
  };
}

/** Changes of variables as lines of a script. A person who is asked has to see everything that the command gets. */
function changesOf(env: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(env).map(([name, value]) =>
    value === null
      ? `unset ${quoteArgument(name)}`
      : `export ${quoteArgument(name)}=${quoteArgument(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
}

function describeInput(given: Given): CallDescription {
  const chars = given.text('chars') ?? '';
  const keys = given.texts('keys') ?? [];
  const close = given.flag('close');
  const types = chars !== '' || keys.length > 0;
  if (!types && !close) {
    return { doing: vscode.l10n.t('Reading the output of {0}', given.session) };
  }
  return {
    doing: vscode.l10n.t('Typing into {0}', given.session),
    question: {
      title: types
        ? vscode.l10n.t('Type this into a session?')
        : vscode.l10n.t('Close the input of this session?'),
      body: apart(
        [
          vscode.l10n.t('**Session**: {0}', given.session),
          keys.length > 0
            ? vscode.l10n.t(
                '**Keys**, pressed in this order: {0}',
                escapeMarkdown(shorten(oneLine(keys.join(' ')), KEYS_LENGTH)),
              )
            : [],
          close && types ? vscode.l10n.t('Its input is closed afterwards.') : [],
        ].flat(),
        ...(chars === '' ? [] : [shownInput(chars)]),
      ),
    },
  };
}

function describeStop(given: Given): CallDescription {
  const pid = given.number('pid');
  if (pid !== undefined) {
    return {
      doing: vscode.l10n.t('Ending process {0} of {1}', pid, given.session),
      question: {
        title: vscode.l10n.t('End this process?'),
        body: vscode.l10n.t(
          '**Process**: {0}, which the session has left running. Nothing else is ended.  \n**Session**: {1}',
          pid,
          given.session,
        ),
      },
    };
  }
  const how = given.flag('force')
    ? vscode.l10n.t('It is killed at once, with everything that it has started, and cannot save anything.')
    : vscode.l10n.t('It is ended step by step, with everything that it has started.');
  return {
    doing: vscode.l10n.t('Stopping {0}', given.session),
    question: {
      title: given.flag('force') ? vscode.l10n.t('Kill this session?') : vscode.l10n.t('Stop this session?'),
      body: [vscode.l10n.t('**Session**: {0}', given.session), how].join('\n\n'),
    },
  };
}

function describeSignal(given: Given): CallDescription {
  const signal = escapeMarkdown(shorten(given.text('signal') ?? '', LINE_LENGTH));
  return {
    doing: vscode.l10n.t('Sending {0} to {1}', signal, given.session),
    question: {
      title: vscode.l10n.t('Send this signal to a session?'),
      body: vscode.l10n.t('**Signal**: {0}  \n**Session**: {1}', signal, given.session),
    },
  };
}

/**
 * Puts what is known about a call before the text of a model. Outside of a chat, VS Code asks in plain text, where
 * nothing separates a block from what comes after it.
 */
function apart(facts: readonly string[], ...blocks: readonly string[]): string {
  return [facts.join('  \n'), ...blocks].join('\n\n');
}

/** A command in one line, to stand inside a sentence. */
function inline(command: string): string {
  return escapeMarkdown(shorten(oneLine(command), LINE_LENGTH));
}

/** The input that a model sent, as far as its values have the right types. */
class Given {
  readonly #input: Readonly<Record<string, unknown>>;
  readonly #place: CallPlace;

  constructor(input: Readonly<Record<string, unknown>>, place: CallPlace) {
    this.#input = input;
    this.#place = place;
  }

  get place(): ReturnType<CallPlace['of']> {
    return this.#place.of(this.text('environment'), this.text('workdir'));
  }

  /** The session of the call, as Markdown. */
  get session(): string {
    const number = this.#input['session'];
    if (typeof number !== 'number') {
      return vscode.l10n.t('a session');
    }
    const name = this.#place.sessionName(number);
    return name === undefined
      ? vscode.l10n.t('session {0}', number)
      : vscode.l10n.t('session {0}, {1}', number, inline(name));
  }

  text(key: string): string | undefined {
    const value = this.#input[key];
    return typeof value === 'string' ? value : undefined;
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.#input[key];
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  }

  record(key: string): Readonly<Record<string, unknown>> {
    const value = this.#input[key];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  }

  number(key: string): number | undefined {
    const value = this.#input[key];
    return typeof value === 'number' ? value : undefined;
  }

  flag(key: string): boolean {
    return this.#input[key] === true;
  }
}
