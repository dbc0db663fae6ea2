import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import { type Environments, parseEnvironments } from '../../sessions/environments/index.js';
import { settingId, SETTINGS_SECTION } from '../../sessions/options/index.js';
import { type Messages, openSettingAction } from '../messages.js';
import type { SettingsReader } from '../settingsReader.js';

/** As many problems as fit into one message. */
const NAMED_PROBLEMS = 5;

/** Keeps the environments in line with the settings. One message names the entries that make no sense. */
export class EnvironmentSettings implements Disposable {
  readonly #settings: SettingsReader;
  readonly #environments: Environments;
  readonly #messages: Messages;
  readonly #subscription: vscode.Disposable;
  #said = '';

  constructor(options: { settings: SettingsReader; environments: Environments; messages: Messages }) {
    this.#settings = options.settings;
    this.#environments = options.environments;
    this.#messages = options.messages;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SETTINGS_SECTION}.environments`)) {
        this.read();
      }
    });
  }

  read(): void {
    const list = this.#settings.get('environments');
    const { definitions, engines, problems } = parseEnvironments(list, vscode.l10n);
    this.#environments.define(definitions, engines);
    const more = problems.length - NAMED_PROBLEMS;
    const said = [
      ...problems.slice(0, NAMED_PROBLEMS),
      ...(more > 0 ? [vscode.l10n.t('{0} more', more)] : []),
    ].join('; ');
    if (said !== '' && said !== this.#said) {
      this.#messages.warn(
        vscode.l10n.t(
          'The setting "{0}" has entries that were left out: {1}.',
          settingId('environments'),
          said,
        ),
        [openSettingAction('environments')],
      );
    }
    this.#said = said;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
