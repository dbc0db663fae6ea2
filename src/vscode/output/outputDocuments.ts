import { unwatchFile, watchFile } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

import * as vscode from 'vscode';

import {
  Alarm,
  type Clock,
  type Disposable,
  DisposableStore,
  type EndedReceipt,
  type FoundLine,
  identityKey,
  type ProcessIdentity,
  shorten,
} from '../../core/index.js';
import type { Session, SessionList } from '../../sessions/list/index.js';
import type { Earlier } from '../machine/earlier.js';
import { OUTPUT_SCHEME } from '../ids.js';
import { errorText } from '../userError.js';
import { newestIn, openOutputOf } from './processOutput.js';
import { readOutput, type SessionOutput, textOf } from './sessionOutput.js';

/** The time between new output and the update of an open document, in milliseconds. */
const FOLLOW_MS = 1_000;
const NAME_LENGTH = 40;
/** In the address of the output of a session that is in no list any more: its receipt's id follows. */
const PAST = 'past';
/** In the address of the output of a process that is no session: its identity follows. */
const PROCESS = 'process';

/** The output of sessions as read-only documents, which are updated while they are open. */
export class OutputDocuments implements vscode.TextDocumentContentProvider, Disposable {
  readonly #list: SessionList;
  readonly #earlier: Pick<Earlier, 'output'>;
  readonly #clock: Clock;
  readonly #onRead: (session: Session, output: SessionOutput) => void;
  readonly #store = new DisposableStore();
  readonly #followed = new Map<string, Disposable>();
  /** The files that processes write to. */
  readonly #files = new Map<string, FileHandle>();
  readonly #didChange = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.#didChange.event;

  /** @param onRead Called each time that a document has got output. */
  constructor(
    list: SessionList,
    earlier: Pick<Earlier, 'output'>,
    clock: Clock,
    onRead: (session: Session, output: SessionOutput) => void,
  ) {
    this.#list = list;
    this.#earlier = earlier;
    this.#onRead = onRead;
    this.#clock = clock;
    this.#store.add(this.#didChange);
    this.#store.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#unfollow(uri)));
    this.#store.add(
      list.onDidChange(({ type, session }) => {
        if (type === 'removed') {
          // An open document keeps the text that it has.
          this.#unfollow(outputUri(session));
        }
      }),
    );
  }

  /**
   * @param source A session, or the receipt of one that is in no list any more.
   * @param found The line to show, with the place in it.
   */
  async open(source: Session | EndedReceipt, found?: FoundLine): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(outputUri(source));
    const selection = found && placeOf(found, document);
    await vscode.window.showTextDocument(document, { preview: false, ...(selection && { selection }) });
    return document;
  }

  /**
   * Shows the output of a process that is no session, and leaves the keyboard where it is.
   *
   * @throws UserError if it cannot be shown.
   */
  async openProcess(process: ProcessIdentity, command: string): Promise<void> {
    await (await openOutputOf(process)).close();
    const document = await vscode.workspace.openTextDocument(
      addressOf(command, String(process.pid), identityKey(process), PROCESS),
    );
    const { end } = document.lineAt(document.lineCount - 1).range;
    await vscode.window.showTextDocument(document, {
      preserveFocus: true,
      selection: new vscode.Range(end, end),
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.authority === PROCESS) {
      return this.#processText(uri).catch((error: unknown) => `[${errorText(error)}]`);
    }
    if (uri.authority === PAST) {
      return textOf(await this.#earlier.output(uri.query));
    }
    const session = this.#list.get(uri.query);
    if (session === undefined) {
      return vscode.l10n.t('[This session has been removed from the list, and its output with it.]');
    }
    this.#follow(uri, session);
    const output = await readOutput(session);
    this.#onRead(session, output);
    return textOf(output);
  }

  dispose(): void {
    for (const followed of this.#followed.values()) {
      followed.dispose();
    }
    this.#followed.clear();
    this.#store.dispose();
  }

  async #processText(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const [pid, startTime = ''] = uri.query.split(' ');
    const file = this.#files.get(key) ?? (await openOutputOf({ pid: Number(pid), startTime }));
    if (!this.#files.has(key)) {
      this.#files.set(key, file);
      // The file may be deleted by now, and so have no other name.
      const name = `/proc/self/fd/${file.fd}`;
      watchFile(name, { interval: FOLLOW_MS, persistent: false }, () => this.#didChange.fire(uri));
      const dispose = () => {
        unwatchFile(name);
        this.#files.delete(key);
        void file.close();
      };
      this.#followed.set(key, { dispose });
    }
    return newestIn(file);
  }

  #follow(uri: vscode.Uri, session: Session): void {
    const key = uri.toString();
    if (this.#followed.has(key)) {
      return;
    }
    const followed = new DisposableStore();
    const update = followed.add(new Alarm(this.#clock));
    followed.add(
      session.process.onWake(() => update.setUnlessSet(FOLLOW_MS, () => this.#didChange.fire(uri))),
    );
    this.#followed.set(key, followed);
  }

  #unfollow(uri: vscode.Uri): void {
    const key = uri.toString();
    this.#followed.get(key)?.dispose();
    this.#followed.delete(key);
  }
}

/** The place of a found line. Output that has come or gone meanwhile may have moved the line. */
function placeOf({ number, line, column }: FoundLine, document: vscode.TextDocument): vscode.Range {
  const { lineCount } = document;
  const isThere = (place: number) => place >= 0 && place < lineCount && document.lineAt(place).text === line;
  let away = 0;
  while (away < lineCount && !isThere(number - away) && !isThere(number + away)) {
    away += 1;
  }
  const place = isThere(number - away) ? number - away : number + away;
  const position = new vscode.Position(Math.min(place, lineCount - 1), column);
  return new vscode.Range(position, position);
}

/** The address of a session's document, which stays the same when the session is renamed. */
function outputUri(source: Session | EndedReceipt): vscode.Uri {
  const { id, commandLine } = source;
  return 'sessionId' in source
    ? addressOf(commandLine, source.sessionId.slice(0, 4), id, PAST)
    : addressOf(commandLine, id.slice(0, 4), id);
}

function addressOf(commandLine: string, number: string, query: string, authority = ''): vscode.Uri {
  const name = shorten(commandLine.replace(/[^\p{L}\p{N}.-]+/gu, ' ').trim(), NAME_LENGTH);
  const path = `/${name === '' ? 'output' : name} (${number}).log`;
  return vscode.Uri.from({ scheme: OUTPUT_SCHEME, authority, path, query });
}
