import * as vscode from 'vscode';

import { type Disposable, oneLine } from '../core/index.js';
import {
  malformedSettingText,
  type SettingDefinition,
  settingDefinitions,
  type SettingName,
  SETTINGS_SECTION,
  type SettingValue,
} from '../sessions/options/index.js';
import type { Dialogs } from './dialogs.js';
import { openSettingAction } from './messages.js';

/**
 * Reads the settings. In place of a malformed value it uses the default, and tells the user once until the value
 * changes.
 */
export class SettingsReader implements Disposable {
  readonly #dialogs: Dialogs;
  readonly #log: vscode.LogOutputChannel;
  /** The messages that were shown about malformed values, each with the setting and the scope that it was read in. */
  readonly #named = new Map<string, { readonly name: SettingName; readonly scope: vscode.Uri | undefined }>();
  readonly #subscription: vscode.Disposable;

  constructor(dialogs: Dialogs, log: vscode.LogOutputChannel) {
    this.#dialogs = dialogs;
    this.#log = log;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        this.#forgetCorrected();
        this.check();
      }
    });
  }

  /** @param scope A folder, which may have a value of its own. */
  get<Name extends SettingName>(name: Name, scope?: vscode.Uri): SettingValue<Name> {
    const definition = settingDefinitions[name] as SettingDefinition<SettingValue<Name>>;
    const raw = rawValue(name, scope);
    if (raw === undefined) {
      return definition.fallback;
    }
    const value = definition.parse(raw);
    if (value === undefined) {
      this.#nameOnce(name, raw, scope);
      return definition.fallback;
    }
    return value;
  }

  /** Reads all settings, so that a mistake is reported at once and not when it first matters. */
  check(): void {
    for (const name of Object.keys(settingDefinitions) as SettingName[]) {
      this.get(name);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /**
   * Forgets the messages of values that have changed, so that the same mistake is reported again if it is made again.
   */
  #forgetCorrected(): void {
    for (const [message, { name, scope }] of this.#named) {
      const raw = rawValue(name, scope);
      const malformed = raw !== undefined && settingDefinitions[name].parse(raw) === undefined;
      if (!malformed || malformedSettingText(name, raw, vscode.l10n) !== message) {
        this.#named.delete(message);
      }
    }
  }

  #nameOnce(name: SettingName, raw: unknown, scope: vscode.Uri | undefined): void {
    const message = malformedSettingText(name, raw, vscode.l10n);
    if (this.#named.has(message)) {
      return;
    }
    this.#named.set(message, { name, scope });
    this.#log.warn(oneLine(message));
    const open = openSettingAction(name);
    void this.#dialogs.warn(message, open.title).then((action) => {
      if (action === open.title) {
        void open.run();
      }
    });
  }
}

function rawValue(name: SettingName, scope: vscode.Uri | undefined): unknown {
  return vscode.workspace
    .getConfiguration(SETTINGS_SECTION, scope)
    .get<unknown>(settingDefinitions[name].key);
}
