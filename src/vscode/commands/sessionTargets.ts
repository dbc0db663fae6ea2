import * as vscode from 'vscode';

import type { Session, SessionList, SessionSnapshot } from '../../sessions/list/index.js';
import { iconOf, nameInMessage, sessionLabel, statusText, withoutIcons } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';
import type { Messages } from '../messages.js';
import { lookAtPorts } from '../sessionPorts.js';
import { isSessionNode } from '../tree/nodes.js';
import { themeIcon } from '../tree/treeItems.js';
import { UserError } from '../userError.js';

/** The sessions that a command can be used on, and its texts. */
export interface Wanted {
  suits(session: SessionSnapshot): boolean;
  /** The title of the picker. */
  readonly question: string;
  /** Whether people look for a session by its port, so that the picker shows the ports of this moment. */
  readonly byPort?: true;
  /** The message if there is no session that the command can be used on. */
  readonly none: string;
  /** The message for a given session that the command cannot be used on. */
  unsuitable(name: string, session: SessionSnapshot): string;
  /** The button of that message, for another action on such sessions. */
  readonly instead?: { readonly title: string; run(sessions: readonly Session[]): unknown };
}

/** The sessions that a command was given: the suitable ones, and the others. */
interface Found {
  readonly suitable: readonly Session[];
  readonly others: readonly Session[];
}

/** Finds the sessions that a command was given, or asks for one. */
export class SessionTargets {
  readonly #list: SessionList;
  readonly #dialogs: Dialogs;
  readonly #messages: Messages;
  readonly #active: () => Session | undefined;
  readonly #forKey: (opens: boolean) => Promise<readonly Session[]>;
  readonly #shownIn: (terminal: unknown) => Session | undefined;

  constructor(options: {
    list: SessionList;
    dialogs: Dialogs;
    messages: Messages;
    /** The session of the terminal that was focused last: it comes first in the picker. */
    active: () => Session | undefined;
    /** The sessions of the rows that a key in the view acts on; see {@link TreeDisplay.forKey}. */
    forKey: (opens: boolean) => Promise<readonly Session[]>;
    /** The session that a terminal shows; undefined for anything else than a terminal of ours. */
    shownIn: (terminal: unknown) => Session | undefined;
  }) {
    this.#list = options.list;
    this.#dialogs = options.dialogs;
    this.#messages = options.messages;
    this.#active = options.active;
    this.#forKey = options.forKey;
    this.#shownIn = options.shownIn;
  }

  /** @throws UserError for a session that does not exist. */
  async one(target: unknown, wanted: Wanted): Promise<Session | undefined> {
    const [session] = await this.many(target, undefined, wanted);
    return session;
  }

  /**
   * @param target The command's first argument, unchecked. Without it, the user is asked.
   * @param all The second argument, unchecked: from the tree, all selected rows.
   * @throws UserError for a session that does not exist.
   */
  async many(target: unknown, all: unknown, wanted: Wanted): Promise<readonly Session[]> {
    return (await this.find(target, all, wanted)).suitable;
  }

  /** As {@link many}, for a command that reports the others as well. */
  async find(target: unknown, all: unknown, wanted: Wanted): Promise<Found> {
    const key = isKey(target);
    const named = key ? await this.#forKey(target.opens === true) : this.#named(target, all);
    const [first] = named;
    if (first === undefined) {
      // Rows of groups and environments have keys, too, and no session.
      return key ? { suitable: [], others: [] } : { suitable: await this.#ask(wanted), others: [] };
    }
    const suitable = named.filter((session) => wanted.suits(session.snapshot()));
    if (suitable.length === 0) {
      const { instead } = wanted;
      this.#messages.tell(
        wanted.unsuitable(nameInMessage(first.label), first.snapshot()),
        instead && [{ title: instead.title, run: () => instead.run(named) }],
      );
    }
    return { suitable, others: named.filter((session) => !suitable.includes(session)) };
  }

  #named(target: unknown, all: unknown): readonly Session[] {
    const several: readonly unknown[] = Array.isArray(all) ? all : [];
    if (target !== undefined && target !== null && !isOtherRow(target)) {
      const first = this.#resolve(target);
      const others = several.filter((one) => !isOtherRow(one)).map((one) => this.#resolve(one));
      return [...new Set([first, ...others])];
    }
    return several.filter(isSessionNode).map((one) => this.#resolve(one));
  }

  #resolve(target: unknown): Session {
    const id = isSessionNode(target) ? target.session.id : (this.#shownIn(target)?.id ?? idOf(target));
    const session = id === undefined ? undefined : this.#list.get(id);
    if (session !== undefined) {
      return session;
    }
    throw new UserError(
      id === undefined
        ? vscode.l10n.t('The command was given something that is no session. Give it the id of one.')
        : isSessionNode(target)
          ? vscode.l10n.t(
              'The session "{0}" has been removed from the list.',
              nameInMessage(target.session.label),
            )
          : vscode.l10n.t(
              'There is no session with the id "{0}"; it may have been removed.',
              nameInMessage(id),
            ),
    );
  }

  async #ask(wanted: Wanted): Promise<readonly Session[]> {
    const suitable = this.#list.sessions.filter((session) => wanted.suits(session.snapshot())).toReversed();
    if (suitable.length === 0) {
      this.#messages.tell(wanted.none);
      return [];
    }
    if (wanted.byPort) {
      await lookAtPorts(suitable);
    }
    const active = this.#active();
    const ordered = suitable.toSorted((one, other) => Number(other === active) - Number(one === active));
    const items = ordered.map((session) => pickItem(session));
    const picked = await this.#dialogs.pick(items, {
      title: wanted.question,
      placeHolder: vscode.l10n.t('Choose a session'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    // The session may have been removed while the picker was open.
    const session = picked && this.#list.get(picked.session.id);
    return session === undefined ? [] : [session];
  }
}

function pickItem(session: Session): vscode.QuickPickItem & { readonly session: Session } {
  const snapshot = session.snapshot();
  return {
    label: withoutIcons(sessionLabel(snapshot)),
    description: withoutIcons(statusText(snapshot, Date.now(), vscode.l10n)),
    detail: withoutIcons(snapshot.cwd),
    iconPath: themeIcon(iconOf(snapshot)),
    session,
  };
}

/** Whether a key in the view was pressed. */
function isKey(target: unknown): target is { readonly selection: true; readonly opens?: unknown } {
  return (
    typeof target === 'object' && target !== null && (target as { selection?: unknown }).selection === true
  );
}

/** Whether the argument is a row of the tree that stands for no session. */
function isOtherRow(target: unknown): boolean {
  return typeof target === 'object' && target !== null && 'kind' in target && !isSessionNode(target);
}

function idOf(target: unknown): string | undefined {
  if (typeof target === 'string') {
    return target;
  }
  const id = typeof target === 'object' && target !== null ? (target as { id?: unknown }).id : undefined;
  return typeof id === 'string' ? id : undefined;
}
