import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import * as vscode from 'vscode';

import { type Disposable, isRecord, oneLine, quoteCommandLine } from '../../core/index.js';
import type { RemoteConnection } from '../../sessions/environments/index.js';
import type { EnvironmentDefinition } from '../../sessions/list/index.js';
import { EnvironmentError, nameInMessage } from '../../sessions/words/index.js';
import type { Dialogs } from '../dialogs.js';

/** The time in which a person has to answer, in milliseconds. */
const ANSWER_MS = 2 * 60_000;
const MOST_CHARACTERS = 8_000;
const SHOWN_CHARACTERS = 600;

/** The way of one connection's ssh to a person. */
export interface Asker extends Disposable {
  /** The variables of ssh, which has this ask since OpenSSH 8.4. */
  readonly variables: Readonly<Record<string, string>>;
  readonly isAsking: () => boolean;
  /** Whether the person has given up. */
  readonly isDeclined: () => boolean;
}

interface Connection {
  readonly name: string;
  asking: number;
  /** The ssh whose question nobody wants to answer. It asks three times. */
  declined: number | undefined;
}

interface Question {
  readonly connection: Connection;
  readonly ssh: number;
  readonly text: string;
  readonly isNotice: boolean;
}

/**
 * Lets ssh ask the person at this window: for a password, a second factor, or whether a host's key is right. The answers
 * are not stored. A program that ssh runs brings its questions over a socket in a folder of this user alone.
 */
export class Askpass implements Disposable {
  readonly #dialogs: Dialogs;
  readonly #program: string;
  readonly #connections = new Map<string, Connection>();
  readonly #sockets = new Set<net.Socket>();
  #folder: string | undefined;
  #server: net.Server | undefined;
  #opened: Promise<string> | undefined;
  /** VS Code shows one box at a time: another one would close it. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param program The path of our program for ssh. */
  constructor(dialogs: Dialogs, program: string) {
    this.#dialogs = dialogs;
    this.#program = program;
  }

  /**
   * Connects, with a way to ask a person where ssh leads there.
   *
   * @throws EnvironmentError for a person who gives up.
   */
  async connect(
    definition: EnvironmentDefinition,
    connect: (asker?: Asker) => Promise<RemoteConnection>,
  ): Promise<RemoteConnection> {
    if (!isSsh(definition) || process.platform === 'win32') {
      return connect();
    }
    const asker = await this.askerFor(definition.name);
    try {
      const connection = await connect(asker);
      return {
        backend: connection.backend,
        disconnect: () => {
          connection.disconnect();
          asker.dispose();
        },
      };
    } catch (error) {
      asker.dispose();
      throw asker.isDeclined() ? new EnvironmentError('cancelled', definition.name) : error;
    }
  }

  /** @param name The name of the environment. */
  async askerFor(name: string): Promise<Asker> {
    const folder = await (this.#opened ??= this.#open());
    const token = randomBytes(24).toString('hex');
    const connection: Connection = { name, asking: 0, declined: undefined };
    this.#connections.set(token, connection);
    return {
      variables: {
        SSH_ASKPASS: path.join(folder, 'ask'),
        SSH_ASKPASS_REQUIRE: 'force',
        DISPLAY: process.env['DISPLAY'] ?? ':0',
        EXEC_SESSIONS_ASKPASS: path.join(folder, 'socket'),
        EXEC_SESSIONS_ASKPASS_TOKEN: token,
      },
      isAsking: () => connection.asking > 0,
      isDeclined: () => connection.declined !== undefined,
      dispose: () => void this.#connections.delete(token),
    };
  }

  dispose(): void {
    this.#server?.close();
    this.#sockets.forEach((socket) => socket.destroy());
    if (this.#folder !== undefined) {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  async #open(): Promise<string> {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-ask-'));
    this.#folder = folder;
    // Node is the program of VS Code itself on a desktop.
    const line = quoteCommandLine([process.execPath, this.#program]);
    const script = `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${line} "$@"\n`;
    writeFileSync(path.join(folder, 'ask'), script, { mode: 0o700 });
    const server = net.createServer((socket) => this.#take(socket)).listen(path.join(folder, 'socket'));
    this.#server = server;
    await once(server, 'listening');
    server.unref();
    return folder;
  }

  #take(socket: net.Socket): void {
    let said = '';
    const closed = new vscode.CancellationTokenSource();
    socket.on('error', () => socket.destroy());
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      closed.cancel();
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.length > MOST_CHARACTERS) {
        socket.destroy();
      } else if (said.endsWith('\n')) {
        const asked = this.#questionIn(said);
        const answer = asked === undefined ? Promise.resolve(undefined) : this.#answer(asked, closed);
        void answer.then(
          (answered) => socket.end(answered === undefined ? '' : `${answered}\n`),
          () => socket.destroy(),
        );
      }
    });
  }

  #questionIn(said: string): Question | undefined {
    try {
      const value: unknown = JSON.parse(said);
      if (!isRecord(value)) {
        return undefined;
      }
      const { token, ssh, text, isNotice } = value;
      const connection = this.#connections.get(String(token));
      return connection && { connection, ssh: Number(ssh), text: String(text), isNotice: isNotice === true };
    } catch {
      return undefined;
    }
  }

  /** @returns undefined if nobody answers. */
  async #answer(question: Question, closed: vscode.CancellationTokenSource): Promise<string | undefined> {
    const { connection, text, isNotice } = question;
    const over = new Promise<undefined>((resolve) =>
      closed.token.onCancellationRequested(() => resolve(undefined)),
    );
    connection.asking += 1;
    try {
      if (isNotice) {
        // For example to touch a security key. ssh ends the program when it has happened.
        void this.#dialogs.info(`${nameInMessage(connection.name)}: ${oneLine(text, SHOWN_CHARACTERS)}`);
        await over;
        return undefined;
      }
      const answer = this.#last.then(() => this.#askOnce(question, closed, over));
      this.#last = answer.catch(() => undefined);
      return await answer;
    } finally {
      connection.asking -= 1;
    }
  }

  async #askOnce(
    { connection, ssh, text }: Question,
    closed: vscode.CancellationTokenSource,
    over: Promise<undefined>,
  ): Promise<string | undefined> {
    const isOver = () => closed.token.isCancellationRequested;
    if (isOver() || connection.declined === ssh) {
      return undefined;
    }
    const limit = setTimeout(() => {
      connection.declined = ssh;
      closed.cancel();
    }, ANSWER_MS);
    try {
      connection.declined = undefined;
      const answer = await Promise.race([this.#ask(connection.name, text, closed.token), over]);
      if (answer === undefined && !isOver()) {
        connection.declined = ssh;
      }
      return answer;
    } finally {
      clearTimeout(limit);
    }
  }

  async #ask(name: string, text: string, closed: vscode.CancellationToken): Promise<string | undefined> {
    const shown = nameInMessage(name);
    const prompt = oneLine(text, SHOWN_CHARACTERS);
    if (/\(yes\/no\b/.test(text)) {
      const trust = vscode.l10n.t('Trust This Host');
      const question = vscode.l10n.t('Is this the key of "{0}"?', shown);
      return (await this.#dialogs.confirm(question, prompt, trust)) ? 'yes' : undefined;
    }
    const options = { title: vscode.l10n.t('Sign in to "{0}"', shown), prompt, password: true };
    const answer = await this.#dialogs.input(options, closed);
    return answer === undefined || /[\r\n]/.test(answer) ? undefined : answer;
  }
}

function isSsh(definition: EnvironmentDefinition): boolean {
  switch (definition.kind) {
    case 'ssh':
      return true;
    case 'shell':
    case 'command':
      return path.basename(definition.argv[0] ?? '') === 'ssh';
    case 'websocket':
    case 'docker':
    case 'podman':
    case 'kubernetes':
    case 'slurm':
      return false;
  }
}
