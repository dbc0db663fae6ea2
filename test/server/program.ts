import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { WebSocket } from 'ws';

import { lineTransport, webSocketClientOptions, webSocketTransport } from '../../src/protocol/index.js';
import { removeFolder } from '../rig/lifetime.js';
import { ownServer, type RunningServer, type ServerOptions, startOwnServer } from '../support/execServer.js';
import { until } from '../support/until.js';
import { RawClient } from './rawClient.js';

/** The program in a process of its own, which is ended after the test. */
export interface Program {
  readonly pid: number;
  readonly stdin: NodeJS.WritableStream;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first line on stdout. */
  readonly ready: Promise<string>;
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
  /** A client on its standard streams. */
  client(): RawClient;
}

export interface ProgramFixture {
  /** A folder for the length of one test. */
  readonly folder: string;
  /** @param some By default only the variables that a server needs, and nothing in front of the program. */
  run(
    args: readonly string[],
    some?: { readonly env?: Readonly<Record<string, string>>; readonly prefix?: readonly string[] },
  ): Program;
}

/** The notes about sandboxes of all programs whose home is a folder, or is in it. */
function notesIn(folder: string): readonly string[] {
  return [folder, ...fs.readdirSync(folder).map((name) => path.join(folder, name))]
    .map((home) => path.join(home, '.local/state/exec-sessions/sandboxes'))
    .flatMap((notes) => (fs.existsSync(notes) ? fs.readdirSync(notes) : []));
}

/** Gives each test of the surrounding `describe` programs and a folder, which are removed with it. */
export function usePrograms(): ProgramFixture {
  let folder = '';
  const running = new Set<Program>();
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'es-program-'));
  });
  afterEach(async () => {
    for (const program of running) {
      program.kill('SIGKILL');
      await program.ended;
    }
    running.clear();
    // The guard of a killed server removes the mount points that its notes name.
    await until(() => notesIn(folder).length, 0);
    removeFolder(folder);
  });
  return {
    get folder() {
      return folder;
    },
    run: (args, { env = {}, prefix = [] } = {}) => {
      const argv = [...prefix, process.execPath, ownServer, ...args];
      const program = start(argv, {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        TMPDIR: folder,
        XDG_RUNTIME_DIR: folder,
        ...env,
      });
      running.add(program);
      return program;
    },
  };
}

function start([file = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? ''));
  });
  // Stdout is read only on request, because a client may read it instead.
  const read = () => child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return {
    pid: child.pid ?? 0,
    stdin: child.stdin,
    stdout: () => stdout,
    stderr: () => stderr,
    get ready() {
      read();
      return new Promise<string>((resolve, reject) => {
        const look = () => stdout.includes('\n') && resolve(stdout.split('\n')[0] ?? '');
        child.stdout.on('data', look);
        void ended.then((how) => reject(new Error(`It ended with ${how}: ${stderr}`)));
      });
    },
    get ended() {
      if (child.stdout.readableFlowing === null) {
        read();
      }
      return ended;
    },
    kill: (signal) => void child.kill(signal),
    client: () => new RawClient(lineTransport(child.stdout, child.stdin, { peer: 'program' })),
  };
}

/** A client on a WebSocket. Rejects with the text of the server if that does not let it in. */
export function webSocketClient(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { ...webSocketClientOptions, headers });
    socket.once('open', () => resolve(new RawClient(webSocketTransport(socket, { peer: url }))));
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => {
        reject(new Error(`${response.statusCode ?? 0} ${response.headers['content-type'] ?? '-'} ${body}`));
        socket.terminate();
      });
    });
  });
}

/**
 * Gives the tests of the surrounding `describe` one server of ours.
 *
 * @returns its client, while they run.
 */
export function useOneServer(options: ServerOptions = {}): () => RawClient {
  let server: RunningServer | undefined;
  let client: RawClient | undefined;
  before(async () => {
    server = await startOwnServer(options);
    client = await webSocketClient(server.url);
    await client.handshake();
  });
  after(async () => {
    client?.transport.destroy('the tests are over');
    await server?.stop();
  });
  return () => client ?? assert.fail('There is a client only while tests run.');
}

/** A client on a Unix socket. */
export function unixClient(file: string): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(file);
    socket.once('error', reject);
    socket.once('connect', () => resolve(new RawClient(lineTransport(socket, socket, { peer: file }))));
  });
}
