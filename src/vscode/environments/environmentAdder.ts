import * as vscode from 'vscode';

import { type Clock, isExecError } from '../../core/index.js';
import {
  environmentEntry,
  type Environments,
  type EnvironmentWay,
  idsOf,
  newEnvironment,
  type NewEnvironment,
} from '../../sessions/environments/index.js';
import { type EnvironmentDefinition, LOCAL_ID } from '../../sessions/list/index.js';
import { settingId } from '../../sessions/options/index.js';
import { nameInMessage } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';
import type { Messages } from '../messages.js';
import { withPatience } from '../patience.js';
import type { SettingsReader } from '../settingsReader.js';
import { errorText } from '../userError.js';
import { type EnvironmentConnector, TOKEN_FAILURES } from './environmentConnector.js';
import type { EnvironmentTokens } from './environmentTokens.js';

/** The next step for an environment after an attempt to reach it. */
type Verdict = 'reached' | 'save' | 'change' | 'giveUp';

interface EnvironmentAdderOptions {
  readonly environments: Environments;
  readonly settings: SettingsReader;
  readonly tokens: EnvironmentTokens;
  readonly connector: EnvironmentConnector;
  readonly dialogs: Dialogs;
  readonly messages: Messages;
  readonly clock: Clock;
  /** Connects and disconnects. Rejects with the connection's error, or once the signal is aborted. */
  readonly test: (definition: EnvironmentDefinition, signal: AbortSignal) => Promise<void>;
}

/** Asks for an environment step by step, tries to reach it, and writes it into the settings. */
export class EnvironmentAdder {
  readonly #options: EnvironmentAdderOptions;

  constructor(options: EnvironmentAdderOptions) {
    this.#options = options;
  }

  /** Returns when the environment has been added, and connected if it could be reached, or the user has given up. */
  async add(): Promise<void> {
    const way = await this.#askWay();
    if (way === undefined) {
      return;
    }
    let said: NewEnvironment = { way, target: '', name: '' };
    for (;;) {
      const asked = await this.#ask(said);
      if (asked === undefined) {
        return;
      }
      said = asked.said;
      const verdict = await this.#try(asked.definition);
      if (verdict === 'reached' || verdict === 'save') {
        await this.#write(asked.definition);
        await this.#afterwards(asked.definition, verdict);
      }
      if (verdict !== 'change') {
        return;
      }
    }
  }

  async #askWay(): Promise<EnvironmentWay | undefined> {
    const items = waysToReach().map(({ way, label, detail, icon }) => ({
      label,
      detail,
      way,
      iconPath: new vscode.ThemeIcon(icon),
    }));
    const picked = await this.#options.dialogs.pick(items, {
      title: vscode.l10n.t('Add Environment'),
      placeHolder: vscode.l10n.t('How is it reached?'),
    });
    return picked?.way;
  }

  /** @returns undefined if the user gives up. */
  async #ask(
    before: NewEnvironment,
  ): Promise<{ readonly said: NewEnvironment; readonly definition: EnvironmentDefinition } | undefined> {
    const { dialogs, messages, settings } = this.#options;
    const taken = [...idsOf(settings.get('environments')), LOCAL_ID];
    const { question, example } = waysToReach().find(({ way }) => way === before.way) ?? { question: '' };
    const target = await dialogs.input({
      title: vscode.l10n.t('Add Environment'),
      prompt: question,
      value: before.target,
      ...(example !== undefined && { placeHolder: example }),
      ignoreFocusOut: true,
      validateInput: (typed) => {
        const made = newEnvironment({ ...before, target: typed }, taken, vscode.l10n);
        return made.ok ? undefined : made.message;
      },
    });
    if (target === undefined) {
      return undefined;
    }
    const name = await dialogs.input({
      title: vscode.l10n.t('Add Environment'),
      prompt: vscode.l10n.t('The name in the list'),
      value: before.name === '' ? target.trim() : before.name,
      ignoreFocusOut: true,
    });
    if (name === undefined) {
      return undefined;
    }
    const said = { ...before, target, name };
    const made = newEnvironment(said, taken, vscode.l10n);
    if (!made.ok) {
      messages.tell(made.message);
      return undefined;
    }
    return { said, definition: made.value };
  }

  async #try(definition: EnvironmentDefinition): Promise<Verdict> {
    const cancel = new AbortController();
    const title = vscode.l10n.t('Trying to reach "{0}"…', nameInMessage(definition.name));
    try {
      const work = this.#options.test(definition, cancel.signal);
      await withPatience(work, { title, cancel, clock: this.#options.clock });
      return 'reached';
    } catch (error) {
      return this.#askAfterFailure(definition, cancel.signal.aborted ? undefined : error);
    }
  }

  /** @param error Undefined if the user has cancelled the attempt. */
  async #askAfterFailure(definition: EnvironmentDefinition, error: unknown): Promise<Verdict> {
    const { dialogs, tokens } = this.#options;
    const name = nameInMessage(definition.name);
    const change = vscode.l10n.t('Change…');
    const save = vscode.l10n.t('Save Anyway');
    const setToken = vscode.l10n.t('Set Token…');
    const wantsToken = isExecError(error) && TOKEN_FAILURES.has(error.failure.kind);
    const answer = await dialogs.choose(
      error === undefined
        ? vscode.l10n.t('"{0}" was not reached: the attempt was cancelled.', name)
        : vscode.l10n.t('"{0}" was not reached: {1}', name, errorText(error)),
      vscode.l10n.t('You can save it anyway and connect later.'),
      ...(wantsToken ? [setToken] : []),
      change,
      save,
    );
    if (answer === setToken) {
      const token = await dialogs.input({
        title: vscode.l10n.t('Token for "{0}"', name),
        prompt: vscode.l10n.t('The token is kept in the secret storage of VS Code.'),
        password: true,
        ignoreFocusOut: true,
      });
      if (token === undefined) {
        return 'giveUp';
      }
      await tokens.set(definition, token.trim());
      const verdict = await this.#try(definition);
      if (verdict === 'change' || verdict === 'giveUp') {
        await tokens.set(definition, '');
      }
      return verdict;
    }
    return answer === change ? 'change' : answer === save ? 'save' : 'giveUp';
  }

  /**
   * Writes it into the settings file that has the list of environments. A list in another file would hide it, or be
   * hidden by it.
   */
  async #write(definition: EnvironmentDefinition): Promise<void> {
    const id = settingId('environments');
    const configuration = vscode.workspace.getConfiguration();
    const target =
      configuration.inspect(id)?.workspaceValue === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
    const entries = [...this.#options.settings.get('environments'), environmentEntry(definition)];
    await configuration.update(id, entries, target);
  }

  async #afterwards({ id, name }: EnvironmentDefinition, verdict: 'reached' | 'save'): Promise<void> {
    const { connector, environments, messages } = this.#options;
    if (verdict === 'reached' && environments.definitionOf(id) !== undefined) {
      await connector.connect(id);
    } else {
      messages.did(vscode.l10n.t('Added "{0}" to the settings.', nameInMessage(name)));
    }
  }
}

/** The ways to an exec-server, in words. A function, since the language is not known when this file is loaded. */
const waysToReach = () =>
  [
    {
      way: 'ssh',
      icon: 'remote',
      label: vscode.l10n.t('A machine over SSH'),
      detail: vscode.l10n.t('Runs "exec-server bridge" there, which has to be on its PATH.'),
      question: vscode.l10n.t('SSH host or alias'),
      example: 'me@build.example.com',
    },
    {
      way: 'container',
      icon: 'package',
      label: vscode.l10n.t('A container'),
      detail: vscode.l10n.t('The same in a running Docker container.'),
      question: vscode.l10n.t('The name of the container'),
      example: 'my-container',
    },
    {
      way: 'websocket',
      icon: 'globe',
      label: vscode.l10n.t('A server with an address'),
      detail: vscode.l10n.t('An exec-server of Exec Sessions or Codex that listens there.'),
      question: vscode.l10n.t('The address of the server'),
      example: 'ws://127.0.0.1:4711',
    },
    {
      way: 'command',
      icon: 'terminal',
      label: vscode.l10n.t('Another command'),
      detail: vscode.l10n.t('A program that speaks the protocol on its standard input and output.'),
      question: vscode.l10n.t('The command: quote words with spaces, or type a JSON list'),
      example: 'kubectl exec -i my-pod -- exec-server bridge --stdio',
    },
  ] as const;
