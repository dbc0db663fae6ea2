import * as vscode from 'vscode';

import type { Disposable } from '../core/index.js';
import {
  malformedSettingText,
  settingDefinitions,
  settingId,
  SETTINGS_SECTION,
  type SettingDefinition,
  type SettingName,
  type SettingValue,
} from '../sessions/settings.js';
import type { Dialogs } from './dialogs.js';

/** Reads the settings. A malformed one is named, once for each value, and its default holds. */
export class SettingsReader implements Disposable {
  readonly #dialogs: Dialogs;
  readonly #log: vscode.LogOutputChannel;
  readonly #named = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor(dialogs: Dialogs, log: vscode.LogOutputChannel) {
    this.#dialogs = dialogs;
    this.#log = log;
    this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        this.check();
      }
    });
  }

  /** @param scope The folder that a setting may be different in. */
  get<Name extends SettingName>(name: Name, scope?: vscode.Uri): SettingValue<Name> {
    const definition = settingDefinitions[name] as SettingDefinition<SettingValue<Name>>;
    const raw = vscode.workspace.getConfiguration(SETTINGS_SECTION, scope).get<unknown>(definition.key);
    if (raw === undefined || raw === null) {
      return definition.fallback;
    }
    const value = definition.parse(raw);
    if (value === undefined) {
      this.#nameOnce(name, raw);
      return definition.fallback;
    }
    return value;
  }

  /** Looks at all of them, so that a mistake is told when it is made and not when it first matters. */
  check(): void {
    for (const name of Object.keys(settingDefinitions) as SettingName[]) {
      this.get(name);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #nameOnce(name: SettingName, raw: unknown): void {
    const message = malformedSettingText(name, raw, vscode.l10n);
    if (this.#named.has(message)) {
      return;
    }
    this.#named.add(message);
    this.#log.warn(message);
    const open = vscode.l10n.t('Open Settings');
    void this.#dialogs.warn(message, open).then((action) => {
      if (action === open) {
        void vscode.commands.executeCommand('workbench.action.openSettings', `@id:${settingId(name)}`);
      }
    });
  }
}
