import * as vscode from 'vscode';

import { oneLine } from '../../../core/index.js';
import {
  environmentIcon,
  type Environments,
  environmentStatus,
} from '../../../sessions/environments/index.js';
import type { EnvironmentSnapshot } from '../../../sessions/list/index.js';
import { nameInMessage, withoutIcons } from '../../../sessions/words/index.js';
import type { Dialogs } from '../../dialogs.js';
import { type MessageAction, type Messages, openSettingAction } from '../../messages.js';
import { isEnvironmentNode } from '../../tree/nodes.js';
import { themeIcon } from '../../tree/treeItems.js';
import { UserError } from '../../userError.js';
import { CommandId } from '../commandIds.js';

/** The environments that a command can be used on, and its texts. */
export interface WantedEnvironment {
  suits(environment: EnvironmentSnapshot): boolean;
  /** The title of the picker. */
  readonly question: string;
  /** The message if there are environments, but none that the command can be used on. */
  readonly none: string;
}

interface EnvironmentItem extends vscode.QuickPickItem {
  readonly id?: string;
  /** The action of an item that is not an environment. */
  readonly run?: () => unknown;
}

/** Finds the environment that a command was given, or asks for one. */
export class EnvironmentTargets {
  readonly #environments: Environments;
  readonly #dialogs: Dialogs;
  readonly #messages: Messages;

  constructor(options: { environments: Environments; dialogs: Dialogs; messages: Messages }) {
    this.#environments = options.environments;
    this.#dialogs = options.dialogs;
    this.#messages = options.messages;
  }

  /**
   * @param target The command's argument, unchecked. If it is neither a row nor an id, the user is asked.
   * @throws UserError for an environment that does not exist.
   */
  async one(target: unknown, wanted: WantedEnvironment): Promise<EnvironmentSnapshot | undefined> {
    const id = isEnvironmentNode(target) ? target.id : typeof target === 'string' ? target : undefined;
    if (id === undefined) {
      return this.#ask(wanted);
    }
    const environment = this.#environments.get(id);
    if (environment === undefined) {
      throw new UserError(
        vscode.l10n.t('There is no environment "{0}" in the settings any more.', nameInMessage(id)),
      );
    }
    return environment;
  }

  async #ask(wanted: WantedEnvironment): Promise<EnvironmentSnapshot | undefined> {
    const all = this.#environments.all;
    if (all.length < 2) {
      this.#messages.tell(
        vscode.l10n.t(
          'There is no environment besides this machine yet. Add one: a machine over SSH, a container, or the address of an exec-server.',
        ),
        [addAction(), openSettingAction('environments')],
      );
      return undefined;
    }
    const suitable = all.filter((environment) => wanted.suits(environment));
    if (suitable.length === 0) {
      this.#messages.tell(wanted.none);
      return undefined;
    }
    const items: readonly EnvironmentItem[] = [...suitable.map(environmentItem), ...moreItems()];
    const picked = await this.#dialogs.pick(items, {
      title: wanted.question,
      placeHolder: vscode.l10n.t('Choose an environment'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    await picked?.run?.();
    return picked?.id === undefined ? undefined : this.#environments.get(picked.id);
  }
}

export function environmentItem(
  environment: EnvironmentSnapshot,
): vscode.QuickPickItem & { readonly id: string } {
  return {
    label: withoutIcons(oneLine(environment.label)),
    description: withoutIcons(environmentStatus(environment, Date.now(), vscode.l10n)),
    detail: withoutIcons(oneLine(environment.target)),
    iconPath: themeIcon(environmentIcon(environment)),
    id: environment.id,
  };
}

function moreItems(): readonly EnvironmentItem[] {
  const add = addAction();
  return [
    { label: add.title, iconPath: new vscode.ThemeIcon('add'), alwaysShow: true, run: () => add.run() },
    {
      label: vscode.l10n.t('Change Environments…'),
      iconPath: new vscode.ThemeIcon('gear'),
      alwaysShow: true,
      run: () => openSettingAction('environments').run(),
    },
  ];
}

function addAction(): MessageAction {
  return {
    title: vscode.l10n.t('Add Environment…'),
    run: () => vscode.commands.executeCommand(CommandId.addEnvironment),
  };
}
