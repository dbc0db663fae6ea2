import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { ExecError, type HostVariables, messageOf, oneLine, untilAborted } from '../../core/index.js';
import type { ServerBuild } from '../../machine/index.js';
import { type BeginTalk, GoneError } from '../../remote/index.js';
import { endedEarly, failedThere, installFailed, LEAST_GLIBC } from './installFailure.js';
import { fetchNode, NODE_VERSION, nodePackageFor } from './nodePackage.js';
import { type Payload, serverPayload } from './payload.js';
import { Silence, type SilenceOptions } from './silence.js';

/** The other side has no Node that runs; one can be sent. */
export interface NodeQuestion {
  readonly target: string;
  /** The version, without `v`. */
  readonly version: string;
  /** The bytes that go over the line. */
  readonly bytes: number;
}

/** A step of a first connection. */
export type InstallStep = 'look' | 'fetchNode' | 'sendNode' | 'sendServer' | 'start';

export interface InstallOptions extends Omit<SilenceOptions, 'target'> {
  /** The folder of our build, from which the server is sent. */
  readonly files: string;
  /** The variables of the programs here. */
  readonly env?: HostVariables | undefined;
  /** Asked before anything is sent. A refusal leaves nothing on the other side. */
  readonly mayInstallNode: (question: NodeQuestion, signal: AbortSignal) => Promise<boolean>;
  /** Called with each step that takes time, for people to see. */
  readonly onStep?: ((step: InstallStep) => void) | undefined;
}

export interface TalkOptions extends InstallOptions, SilenceOptions {
  /** Begins what the other side says, as in the script. */
  readonly mark: string;
}

/** The other side asks at most for a Node, then for a server. */
const MOST_ORDERS = 2;
/** Longer lines are noise of a login. */
const LINE_BYTES = 4_096;
const PIECE_BYTES = 64 * 1024;

/** The words of the other side about itself. All others are refused. */
const NEED = /^need (linux|darwin) (x64|arm64) (none|unknown|\d{1,4}\.\d{1,4}) (yes|no) (yes|no)$/;

/** This side of an installation; `scriptText` is the other one. Nothing is sent before the other side has asked. */
export function installTalk(options: TalkOptions): BeginTalk {
  return talkTo(options, (talk) => talk.install());
}

/** This side of a removal. Nothing is sent. */
export function removalTalk(options: TalkOptions, answered: (answer: string) => void): BeginTalk {
  return talkTo(options, async (talk) => answered(await talk.removal()));
}

function talkTo(options: TalkOptions, run: (talk: Talk) => Promise<void>): BeginTalk {
  return async (output, input, signal) => {
    const ending = new AbortController();
    const end = (error: unknown) => ending.abort(error);
    output.on('error', end);
    const silence = new Silence(options);
    try {
      const limited = AbortSignal.any([signal, ending.signal, silence.signal]);
      await run(new Talk(options, { output, input, silence, signal: limited }));
    } finally {
      silence.dispose();
      output.off('error', end);
    }
  };
}

interface Line {
  readonly output: Readable;
  readonly input: Writable;
  readonly silence: Silence;
  /** Aborted with the end of the way too. */
  readonly signal: AbortSignal;
}

class Talk {
  readonly #options: TalkOptions;
  readonly #line: Line;
  /** The bytes after the last line. An output that has ended takes nothing back. */
  #unread: Buffer | undefined;

  constructor(options: TalkOptions, line: Line) {
    this.#options = options;
    this.#line = line;
  }

  /** Resolves with the answer, for which servers may have to end their sessions. */
  async removal(): Promise<string> {
    const word = await this.#answer();
    return word === 'removing' ? this.#line.silence.without(() => this.#answer()) : word;
  }

  async install(): Promise<void> {
    const { target, onStep } = this.#options;
    onStep?.('look');
    for (let orders = 0; ; orders++) {
      const word = await this.#answer();
      if (word === 'ready') {
        this.#line.output.unshift(this.#unread);
        onStep?.('start');
        return;
      }
      const [, platform, arch, libc = '', node, executes] = NEED.exec(word) ?? [];
      if (platform === undefined || arch === undefined || orders === MOST_ORDERS) {
        throw installFailed(target, `it gives an answer that makes no sense: ${oneLine(word, 80)}`);
      }
      if (executes === 'no') {
        throw new ExecError({ kind: 'noExecThere', target });
      }
      if (node === 'no') {
        await this.#sendNode({ platform, arch }, libc);
      } else {
        onStep?.('sendServer');
        await this.#send('server', await serverPayload(this.#options.files, { platform, arch }));
      }
    }
  }

  async #answer(): Promise<string> {
    const word = await this.#word();
    if (word.startsWith('failed ')) {
      throw failedThere(this.#options.target, word.slice('failed '.length));
    }
    return word;
  }

  async #sendNode(build: ServerBuild, libc: string): Promise<void> {
    const { target, env = process.env, mayInstallNode, onStep } = this.#options;
    const { silence, signal } = this.#line;
    const offered = nodePackageFor(build);
    if (offered === undefined) {
      throw new ExecError({ kind: 'noNodeThere', target });
    }
    if (libc === 'none' || isOlder(libc, LEAST_GLIBC)) {
      const reason = libc === 'none' ? 'it has no glibc, but perhaps musl' : `it has glibc ${libc}`;
      throw new ExecError({ kind: 'oldLibcThere', target, reason, least: LEAST_GLIBC });
    }
    const question = { target, version: NODE_VERSION, bytes: offered.bytes };
    const payload = await silence.without(async () => {
      if (!(await untilAborted(mayInstallNode(question, signal), signal))) {
        throw new ExecError({ kind: 'noNodeThere', target });
      }
      onStep?.('fetchNode');
      return fetchNode(offered, env, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new ExecError({ kind: 'nodeNotFetched', target, reason: oneLine(messageOf(error), 300) });
      });
    });
    onStep?.('sendNode');
    await this.#send('node', payload);
  }

  async #send(what: 'node' | 'server', { bytes, sha512 }: Payload): Promise<void> {
    let goesOn = await this.#write(Buffer.from(`${what} ${bytes.length} ${sha512}\n`));
    for (let at = 0; goesOn && at < bytes.length; at += PIECE_BYTES) {
      goesOn = await this.#write(bytes.subarray(at, at + PIECE_BYTES));
    }
  }

  /**
   * Resolves once the program has taken the bytes; false if the way has ended. Its output, which may have words about
   * that, is read next.
   */
  #write(bytes: Buffer): Promise<boolean> {
    const { input, silence, signal } = this.#line;
    const taken = new Promise<void>((resolve) => input.write(bytes, () => resolve()));
    return untilAborted(taken, signal).then(
      () => {
        silence.heard();
        return true;
      },
      () => false,
    );
  }

  /** The next thing that the other side says. Noise counts as silence, since it may never end. */
  async #word(): Promise<string> {
    const { output, silence, signal } = this.#line;
    const mark = `${this.#options.mark} `;
    let line = '';
    for (;;) {
      const bytes = this.#unread ?? (output.read() as Buffer | null);
      if (bytes === null) {
        await once(output, 'readable', { signal }).catch((error: unknown) => this.#fail(error));
        continue;
      }
      const end = bytes.indexOf('\n');
      this.#unread = end < 0 ? undefined : bytes.subarray(end + 1);
      line = (line + bytes.subarray(0, end < 0 ? LINE_BYTES : end).toString('latin1')).slice(0, LINE_BYTES);
      if (end < 0) {
        continue;
      }
      if (line.startsWith(mark)) {
        silence.heard();
        silence.isGreeted = true;
        return line.slice(mark.length).trimEnd();
      }
      line = '';
    }
  }

  #fail(error: unknown): never {
    const { silence, signal } = this.#line;
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (this.#line.output.errored === null || reason instanceof GoneError) {
      throw reason;
    }
    throw silence.isGreeted
      ? installFailed(this.#options.target, oneLine(messageOf(reason), 300))
      : endedEarly(this.#options.target, reason);
  }
}

function isOlder(libc: string, least: string): boolean {
  const [major = 0, minor = 0] = libc.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
