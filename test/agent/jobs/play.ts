import assert from 'node:assert/strict';

import { estimateTokens } from '../../../src/agent/text/index.js';
import type { ToolName } from '../../../src/agent/tool.js';
import { until } from '../../support/until.js';
import type { Answer, ToolsFixture } from '../toolsSetup.js';
import { Normalizer } from './normalizer.js';

/** Longer than any program of a job takes, and as long as a call may wait. */
const LONG_MS = 55_000;

/** The calls of a model in a job, and their cost. */
export interface Cost {
  readonly calls: number;
  /** The estimated tokens of all replies. */
  readonly tokens: number;
}

/** Plays a model at work: makes calls, and keeps the transcript of what the model sees. */
export class Play {
  readonly folder: string;
  readonly #fixture: ToolsFixture;
  readonly #normalizer: Normalizer;
  #transcript = '';
  #calls = 0;
  /** The ends of the output that the model has got, by session. */
  readonly #cursors = new Map<number, string>();
  #tokens = 0;

  constructor(fixture: ToolsFixture) {
    this.#fixture = fixture;
    this.folder = fixture.folder;
    this.#normalizer = new Normalizer(fixture.folder);
  }

  get transcript(): string {
    return this.#transcript;
  }

  get cost(): Cost {
    return { calls: this.#calls, tokens: this.#tokens };
  }

  /** Replaces a text that differs from run to run, such as a port, from now on. */
  hide(text: string, name: string): void {
    this.#normalizer.hide(text, name);
  }

  /** Leaves lines out of the transcript from now on that are different in other versions of a program. */
  drop(lines: RegExp): void {
    this.#normalizer.drop(lines);
  }

  /** Makes a call that is not in the transcript. */
  async unseen(name: ToolName, input: object): Promise<Answer> {
    return this.#make(name, input);
  }

  /** Waits until a screen is drawn as a whole. The looks are no part of the job. */
  async untilScreen(session: unknown, shows: RegExp): Promise<void> {
    await until(async () => {
      const screen = await this.#fixture.call('read_output', { session, mode: 'screen' });
      return shows.test(screen.output);
    });
  }

  async call(name: ToolName, input: object): Promise<Answer> {
    const reply = await this.#make(name, input);
    this.#note(name, input, reply.text);
    return reply;
  }

  /** Runs a command to its end. */
  async run(input: object): Promise<Answer> {
    return this.call('exec_command', { yield_time_ms: LONG_MS, ...input });
  }

  /** Starts a command that goes on, and waits for lines of it. @returns the number of its session. */
  async start(input: object, ...patterns: readonly string[]): Promise<number> {
    return this.#untilSeen('exec_command', { yield_time_ms: 0, ...input }, patterns);
  }

  /**
   * Types, and waits for lines, one after the other. Output may come with any of the answers, so all are told as one.
   *
   * @param patterns The last one matches the last line that is printed.
   */
  async type(session: number, keys: object, ...patterns: readonly string[]): Promise<void> {
    await this.#untilSeen('write_stdin', { session, yield_time_ms: 0, ...keys }, patterns);
  }

  async #untilSeen(name: ToolName, input: object, patterns: readonly string[]): Promise<number> {
    // The answer to the input may have the line already.
    const from = 'session' in input ? (this.#cursors.get(Number(input.session)) ?? '0') : '0';
    const first = await this.#make(name, input);
    const session = Number(first.structured['session']);
    let { output } = first;
    let calls = `>>> ${name} ${JSON.stringify(input)}`;
    let head = '';
    for (const pattern of patterns) {
      const wait = { session, pattern, from };
      const answer = await this.#make('wait_for', wait);
      assert.deepEqual(answer.structured['met'], ['pattern'], answer.text);
      output += answer.output;
      calls += `\n>>> wait_for ${JSON.stringify({ ...wait, from: from === '0' ? from : 'CURSOR' })}`;
      [head = ''] = answer.text.split('\nOutput:');
    }
    this.#add(`${calls}\n${head}\nOutput:\n${output.trimEnd()}\n`);
    return session;
  }

  async #make(name: ToolName, input: object): Promise<Answer> {
    const reply = await this.#fixture.call(name, input);
    const { session, cursor } = reply.structured;
    if (typeof session === 'number' && typeof cursor === 'string') {
      this.#cursors.set(session, cursor);
    }
    this.#calls += 1;
    this.#tokens += estimateTokens(reply.text);
    return reply;
  }

  #note(name: ToolName, input: object, text: string): void {
    this.#add(`>>> ${name} ${JSON.stringify(input)}\n${text.trimEnd()}\n`);
  }

  #add(text: string): void {
    this.#transcript += `${this.#normalizer.normalize(text)}\n`;
  }
}
