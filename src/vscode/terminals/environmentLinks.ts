import * as vscode from 'vscode';

import { directoryThere, shorten } from '../../core/index.js';
import { type Environments, pathHere } from '../../sessions/environments/index.js';
import type { Session } from '../../sessions/list/index.js';
import { filesInLine, type NamedFile } from '../../terminal/index.js';
import { type Messages, openSettingAction } from '../messages.js';

class FileLink extends vscode.TerminalLink {
  readonly session: Session;
  readonly file: NamedFile;

  constructor(session: Session, file: NamedFile) {
    super(file.at, file.length, vscode.l10n.t('Open the file, if it is on this machine as well'));
    this.session = session;
    this.file = file;
  }
}

const PATH_LENGTH = 80;

/**
 * Opens files that sessions of other machines name, at their line, if the environment's setting says where they are on
 * this machine. VS Code itself would open another file of that name here.
 */
export class EnvironmentLinks implements vscode.TerminalLinkProvider<FileLink> {
  readonly #environments: Environments;
  readonly #messages: Messages;
  readonly #sessionOf: (terminal: vscode.Terminal) => Session | undefined;

  constructor(options: {
    environments: Environments;
    messages: Messages;
    sessionOf: (terminal: vscode.Terminal) => Session | undefined;
  }) {
    this.#environments = options.environments;
    this.#messages = options.messages;
    this.#sessionOf = options.sessionOf;
  }

  provideTerminalLinks({
    line,
    terminal,
  }: Pick<vscode.TerminalLinkContext, 'line' | 'terminal'>): FileLink[] {
    const session = this.#sessionOf(terminal);
    // VS Code itself makes the links for this machine.
    if (session === undefined || this.#definitionOf(session) === undefined) {
      return [];
    }
    return filesInLine(line).map((file) => new FileLink(session, file));
  }

  async handleTerminalLink({ session, file }: FileLink): Promise<void> {
    const { request, environment } = session;
    const there = directoryThere([file.path, request.cwd], environment.backend.host);
    const here = there && pathHere(there, this.#definitionOf(session)?.folders);
    if (here === undefined) {
      this.#messages.tell(
        vscode.l10n.t(
          '"{0}" is on "{1}". If its files are on this machine as well, name the directory there and the one here in "folders" of that environment.',
          shorten(there ?? file.path, PATH_LENGTH),
          environment.label,
        ),
        [openSettingAction('environments')],
      );
      return;
    }
    const place = new vscode.Position((file.line ?? 1) - 1, (file.column ?? 1) - 1);
    const selection = new vscode.Range(place, place);
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(here), { selection });
    } catch {
      this.#messages.tell(
        vscode.l10n.t('There is no file "{0}" on this machine.', shorten(here, PATH_LENGTH)),
      );
    }
  }

  #definitionOf(session: Session): ReturnType<Environments['definitionOf']> {
    return this.#environments.definitionOf(session.environment.id);
  }
}
