import * as vscode from 'vscode';

import type { Disposable } from '../../core/index.js';
import type { EngineConnectorOptions } from '../../engines/index.js';
import type { ConnectTo, RemoteConnection } from '../../sessions/environments/index.js';
import type { EnvironmentDefinition } from '../../sessions/list/index.js';
import type { Dialogs } from '../dialogs.js';

type Step = Parameters<NonNullable<EngineConnectorOptions['onStep']>>[0];

/**
 * Connections that a person waits for. That person sees their steps and is asked; nobody else is, so that an agent never
 * has a Node sent.
 */
export class AttendedConnections {
  readonly #dialogs: Dialogs;
  readonly #people = new Map<string, (step: string) => void>();
  /** Connections that were opened before the settings had their environment. */
  readonly #tried = new Map<string, RemoteConnection>();

  constructor(dialogs: Dialogs) {
    this.#dialogs = dialogs;
  }

  /** A person waits for the environment until the result is disposed. */
  attend(id: string, tell: (step: string) => void): Disposable {
    this.#people.set(id, tell);
    return { dispose: () => void this.#people.delete(id) };
  }

  /** The part of a connection's options that reaches the person. */
  optionsFor(id: string): Pick<EngineConnectorOptions, 'mayInstallNode'> & { onStep: (step: Step) => void } {
    return {
      onStep: (step) => this.#people.get(id)?.(inWords(step)),
      mayInstallNode: async ({ target, version, bytes }) =>
        this.#people.has(id) &&
        this.#dialogs.confirm(
          vscode.l10n.t(
            '"{0}" has no Node 20 or newer. Send one ({1} MB)?',
            target,
            Math.ceil(bytes / 1_000_000),
          ),
          vscode.l10n.t(
            'Node {0} comes from npm by way of this machine, into a folder of Exec Sessions in your account there.',
            version,
          ),
          vscode.l10n.t('Send Node'),
        ),
    };
  }

  /** Keeps a connection for the environment, which is about to be defined. */
  keep(id: string, connection: RemoteConnection): void {
    this.drop(id);
    this.#tried.set(id, connection);
  }

  /** Ends the connection that was kept, if there is one. */
  drop(id: string): void {
    this.#tried.get(id)?.disconnect();
    this.#tried.delete(id);
  }

  /** Takes the connection that was kept, or else opens one. */
  takeOr(connectTo: ConnectTo): ConnectTo {
    return async (definition: EnvironmentDefinition, signal) => {
      const kept = this.#tried.get(definition.id);
      this.#tried.delete(definition.id);
      return kept ?? connectTo(definition, signal);
    };
  }
}

function inWords(step: Step): string {
  switch (step) {
    case 'look':
      return vscode.l10n.t('Looking…');
    case 'fetchNode':
      return vscode.l10n.t('Getting Node from npm…');
    case 'sendNode':
      return vscode.l10n.t('Sending Node…');
    case 'sendServer':
      return vscode.l10n.t('Sending the server…');
    case 'start':
      return vscode.l10n.t('Starting the server…');
  }
}
