import * as vscode from 'vscode';

import { type Clock, type ExecFailure, isExecError } from '../../core/index.js';
import { EnvironmentError, nameInMessage } from '../../sessions/words/index.js';
import type { Environments } from '../../sessions/environments/index.js';
import type { ExecEnvironment } from '../../sessions/list/index.js';
import type { Dialogs } from '../dialogs.js';
import { type MessageAction, type Messages, openSettingAction } from '../messages.js';
import { withPatience } from '../patience.js';
import { errorText, UserError } from '../userError.js';
import type { AttendedConnections } from './attended.js';
import type { EnvironmentTokens } from './environmentTokens.js';

/** Failures that another token may remedy. */
export const TOKEN_FAILURES: ReadonlySet<ExecFailure['kind']> = new Set([
  'tokenMissing',
  'unauthorized',
  'badToken',
]);

/** Connects to environments with progress, a Cancel button, and a remedy if it fails. */
export class EnvironmentConnector {
  readonly #environments: Environments;
  readonly #tokens: EnvironmentTokens;
  readonly #dialogs: Dialogs;
  readonly #messages: Messages;
  readonly #clock: Clock;
  readonly #attended: AttendedConnections;

  constructor(options: {
    environments: Environments;
    tokens: EnvironmentTokens;
    dialogs: Dialogs;
    messages: Messages;
    clock: Clock;
    attended: AttendedConnections;
  }) {
    this.#environments = options.environments;
    this.#tokens = options.tokens;
    this.#dialogs = options.dialogs;
    this.#messages = options.messages;
    this.#clock = options.clock;
    this.#attended = options.attended;
  }

  /** @returns undefined if it failed or was cancelled; the user has been told. */
  async connectVisibly(id: string): Promise<ExecEnvironment | undefined> {
    const cancel = new AbortController();
    const title = vscode.l10n.t('Connecting to "{0}"…', this.#nameOf(id));
    try {
      const steps = (tell: (step: string) => void) => this.#attended.attend(id, tell);
      const work = this.#environments.connect(id, cancel.signal);
      return await withPatience(work, { title, cancel, clock: this.#clock, steps });
    } catch (error) {
      if (error instanceof EnvironmentError && error.reason === 'cancelled') {
        this.#messages.did(vscode.l10n.t('Connecting to "{0}" was cancelled.', this.#nameOf(id)));
      } else {
        this.#messages.failed(this.#naming(id, error), this.#remedies(id, error));
      }
      return undefined;
    }
  }

  /** Connects, and reports it. */
  async connect(id: string): Promise<void> {
    const open = this.#environments.get(id)?.state.kind === 'connected';
    if ((await this.connectVisibly(id)) !== undefined) {
      this.#messages.did(
        open
          ? vscode.l10n.t('"{0}" is connected already.', this.#nameOf(id))
          : vscode.l10n.t('Connected to "{0}".', this.#nameOf(id)),
      );
    }
  }

  /**
   * Asks for a token and stores it; an empty one removes the stored token.
   *
   * @returns whether a new token was stored.
   * @throws UserError if the environment takes no token.
   */
  async askToken(id: string): Promise<boolean> {
    const definition = this.#environments.definitionOf(id);
    if (definition?.kind !== 'websocket') {
      throw new UserError(
        vscode.l10n.t(
          '"{0}" takes no token: its program signs in on its own, as ssh does.',
          this.#nameOf(id),
        ),
      );
    }
    const token = await this.#dialogs.input({
      title: vscode.l10n.t('Token for "{0}"', this.#nameOf(id)),
      prompt: vscode.l10n.t(
        'The token is kept in the secret storage of VS Code. Leave the box empty to remove the stored token.',
      ),
      password: true,
      ignoreFocusOut: true,
    });
    if (token === undefined) {
      return false;
    }
    await this.#tokens.set(definition, token.trim());
    this.#messages.did(
      token.trim() === ''
        ? vscode.l10n.t('Removed the token for "{0}".', this.#nameOf(id))
        : vscode.l10n.t('Remembered the token for "{0}".', this.#nameOf(id)),
    );
    return token.trim() !== '';
  }

  /**
   * Puts the name of the environment before the error of a connection, because addresses and commands do not have the
   * name.
   */
  #naming(id: string, error: unknown): unknown {
    return isExecError(error)
      ? new UserError(`${this.#nameOf(id)}: ${errorText(error)}`, { cause: error })
      : error;
  }

  #remedies(id: string, error: unknown): readonly MessageAction[] {
    const retry: MessageAction = {
      title: vscode.l10n.t('Try Again'),
      run: () => this.#connectAfterwards(id),
    };
    if (!isExecError(error) || !TOKEN_FAILURES.has(error.failure.kind)) {
      return error instanceof UserError || error instanceof EnvironmentError
        ? []
        : [retry, openSettingAction('environments')];
    }
    return [
      {
        title: vscode.l10n.t('Set Token…'),
        run: async () => {
          if (await this.askToken(id)) {
            await this.#connectAfterwards(id);
          }
        },
      },
    ];
  }

  /** Connects for a button of a message. No caller waits for the outcome, so a failure is reported here. */
  async #connectAfterwards(id: string): Promise<void> {
    try {
      await this.connect(id);
    } catch (error) {
      this.#messages.failed(error);
    }
  }

  #nameOf(id: string): string {
    return nameInMessage(this.#environments.get(id)?.label ?? id);
  }
}
