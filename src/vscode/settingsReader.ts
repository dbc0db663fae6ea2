import * as vscode from 'vscode';

import { Alarm, type Disposable, oneLine, systemClock } from '../core/index.js';
import {
  type SettingDefinition,
  settingDefinitions,
  settingProblem,
  type SettingName,
  SETTINGS_SECTION,
  type SettingValue,
} from '../sessions/options/index.js';
import type { Dialogs } from './dialogs.js';
import { openSettingAction } from './messages.js';

/** The time in which wrong settings are gathered into one message, in milliseconds. */
const TOGETHER_MS = 250;

/** The most wrong settings that one message names. */
const NAMED_TOGETHER = 3;

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
  readonly #later = new Alarm(systemClock);
  /** The messages that are about to be shown, each with its setting. */
  readonly #untold = new Map<string, SettingName>();

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
    const problem = settingProblem(name, raw, vscode.l10n);
    if (problem !== undefined) {
      this.#nameOnce(problem, name, scope);
    }
    return definition.parse(raw) ?? definition.fallback;
  }

  /** Reads all settings, so that a mistake is reported at once and not when it first matters. */
  check(): void {
    for (const name of Object.keys(settingDefinitions) as SettingName[]) {
      this.get(name);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#later.dispose();
  }

  /**
   * Forgets the messages of values that have changed, so that the same mistake is reported again if it is made again.
   */
  #forgetCorrected(): void {
    for (const [message, { name, scope }] of this.#named) {
      const raw = rawValue(name, scope);
      if (raw === undefined || settingProblem(name, raw, vscode.l10n) !== message) {
        this.#named.delete(message);
      }
    }
  }

  #nameOnce(message: string, name: SettingName, scope: vscode.Uri | undefined): void {
    if (this.#named.has(message)) {
      return;
    }
    this.#named.set(message, { name, scope });
    this.#log.warn(oneLine(message));
    this.#untold.set(message, name);
    this.#later.setUnlessSet(TOGETHER_MS, () => this.#tell());
  }

  #tell(): void {
    const texts = [...this.#untold.keys()];
    const open = openSettingAction(...this.#untold.values());
    this.#untold.clear();
    const more = texts.length - NAMED_TOGETHER;
    const text = [
      ...texts.slice(0, NAMED_TOGETHER),
      ...(more > 0 ? [vscode.l10n.t('The log names {0} more.', more)] : []),
    ].join(' ');
    void this.#dialogs.warn(text, open.title).then((action) => {
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
