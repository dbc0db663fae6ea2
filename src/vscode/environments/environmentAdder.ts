import * as vscode from 'vscode';

import { type Clock, isExecError, type Member, memberText, oneLine } from '../../core/index.js';
import {
  environmentEntry,
  type Environments,
  idsOf,
  newEnvironment,
  type RemoteConnection,
} from '../../sessions/environments/index.js';
import { type EnvironmentDefinition, LOCAL_ID } from '../../sessions/list/index.js';
import { EnvironmentError, nameInMessage, withoutIcons } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';
import type { Messages } from '../messages.js';
import { withPatience } from '../patience.js';
import type { SettingsReader } from '../settingsReader.js';
import { errorText } from '../userError.js';
import type { AttendedConnections } from './attended.js';
import { type EnvironmentConnector, TOKEN_FAILURES } from './environmentConnector.js';
import type { EnvironmentTokens } from './environmentTokens.js';
import { writeEnvironments } from './writeEnvironments.js';

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
  readonly attended: AttendedConnections;
  /** Rejects with the connection's error, or once the signal is aborted. */
  readonly connectTo: (definition: EnvironmentDefinition, signal: AbortSignal) => Promise<RemoteConnection>;
  /** The machines that can be offered. */
  readonly offered: (signal: AbortSignal) => Promise<readonly Member[]>;
}

type Row = vscode.QuickPickItem & { readonly typed: string };

/** Asks for a machine in one box, tries to reach it, and writes it into the settings. */
export class EnvironmentAdder {
  readonly #options: EnvironmentAdderOptions;

  constructor(options: EnvironmentAdderOptions) {
    this.#options = options;
  }

  /** Returns when the environment has been added, and connected if it could be reached, or the user has given up. */
  async add(): Promise<void> {
    let typed = '';
    for (;;) {
      const asked = await this.#ask(typed);
      if (asked === undefined) {
        return;
      }
      typed = asked;
      const { settings } = this.#options;
      const taken = [...idsOf(settings.get('environments')), LOCAL_ID];
      const made = newEnvironment(typed, taken, vscode.l10n);
      if (!made.ok) {
        continue;
      }
      const verdict = await this.#try(made.value);
      if (verdict === 'reached' || verdict === 'save') {
        await writeEnvironments([...settings.get('environments'), environmentEntry(made.value)]);
        await this.#afterwards(made.value, verdict);
      }
      if (verdict !== 'change') {
        return;
      }
    }
  }

  /** @returns the text of the chosen row; undefined if the user gives up. */
  async #ask(value: string): Promise<string | undefined> {
    const closed = new AbortController();
    const offers = this.#options.offered(closed.signal).catch(() => []);
    const picked = await this.#options.dialogs.live<Row>({
      title: vscode.l10n.t('Add Environment'),
      placeHolder: vscode.l10n.t('Type the name of a host, "docker NAME", an address, or a command'),
      value,
      follow: (typed, show) => {
        show(rowsFor(typed, []), { busy: true, note: '' });
        void offers.then((members) => show(rowsFor(typed, members)));
      },
    });
    closed.abort();
    return picked?.typed;
  }

  async #try(definition: EnvironmentDefinition): Promise<Verdict> {
    const cancel = new AbortController();
    const title = vscode.l10n.t('Trying to reach "{0}"…', nameInMessage(definition.name));
    try {
      const { attended, clock, connectTo } = this.#options;
      // One connection, since another one might ask for the password again.
      const { id } = definition;
      const steps = (tell: (step: string) => void) => attended.attend(id, tell);
      const work = connectTo(definition, cancel.signal);
      attended.keep(id, await withPatience(work, { title, cancel, clock, steps }));
      return 'reached';
    } catch (error) {
      const cancelled = cancel.signal.aborted || error instanceof EnvironmentError;
      return this.#askAfterFailure(definition, cancelled ? undefined : error);
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

  async #afterwards({ id, name }: EnvironmentDefinition, verdict: 'reached' | 'save'): Promise<void> {
    const { attended, connector, environments, messages } = this.#options;
    if (verdict === 'reached' && environments.definitionOf(id) !== undefined) {
      await connector.connect(id);
    } else {
      attended.drop(id);
      messages.did(vscode.l10n.t('Added "{0}" to the settings.', nameInMessage(name)));
    }
  }
}

/** The row of the typed text, or why it names nothing, above the machines that are offered. */
function rowsFor(typed: string, offered: readonly Member[]): readonly Row[] {
  const names = offered.map(memberText).filter((name) => name !== typed.trim());
  const offers = names.map((name) => ({
    label: name,
    typed: name,
    iconPath: new vscode.ThemeIcon('remote'),
  }));
  if (typed.trim() === '') {
    return offers;
  }
  const made = newEnvironment(typed, [], vscode.l10n);
  const detail = made.ok ? howReached(made.value.kind) : made.message;
  const iconPath = new vscode.ThemeIcon(made.ok ? 'plug' : 'warning');
  return [{ label: withoutIcons(oneLine(typed)), typed, detail, iconPath, alwaysShow: true }, ...offers];
}

function howReached(kind: EnvironmentDefinition['kind']): string {
  switch (kind) {
    case 'websocket':
      return vscode.l10n.t('An exec-server that listens at this address.');
    case 'command':
      return vscode.l10n.t('A program that leads to an exec-server.');
    case 'shell':
      return vscode.l10n.t(
        'A command that runs one more argument in a shell there. The server is sent over it.',
      );
    case 'ssh':
      return vscode.l10n.t('A machine over SSH. The server is sent there if need be.');
    case 'docker':
    case 'podman':
    case 'kubernetes':
    case 'slurm':
      return vscode.l10n.t('A machine of {0}. The server is sent there if need be.', kind);
  }
}
