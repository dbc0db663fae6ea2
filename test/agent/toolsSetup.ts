import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { backendHost, createAgentTools } from '../../src/agent/index.js';
import type { SessionLimits } from '../../src/agent/session/agentSessions.js';
import type { AgentTools, ToolName, ToolReply } from '../../src/agent/tool.js';
import type { ExecBackend } from '../../src/core/index.js';
import type { BackendKind, TestBackend } from '../contract/backends.js';
import { removeFolder } from '../rig/lifetime.js';
import { codexToolDeviations, type ToolDeviation } from './codexToolDeviations.js';

/** A reply with its parts. */
export interface Answer extends ToolReply {
  /** The text after `Output:`; may be empty. */
  readonly output: string;
  /** The line of this name, without the name. */
  line(name: string): string;
}

export interface CallOptions {
  readonly agent?: string;
  readonly signal?: AbortSignal;
}

/** The tools over one backend, in a folder of their own. */
export interface ToolsFixture {
  readonly backend: ExecBackend;
  readonly tools: AgentTools;
  readonly folder: string;
  readonly call: (name: ToolName, input: object, options?: CallOptions) => Promise<Answer>;
  /** Starts a session and resolves with its id. */
  readonly start: (input: object, options?: CallOptions) => Promise<number>;
}

export interface ToolsOptions {
  readonly limits?: Partial<SessionLimits>;
}

async function makeTools(
  kind: BackendKind,
  options: ToolsOptions,
): Promise<ToolsFixture & { readonly dispose: () => Promise<void> }> {
  // The path is short, since editors show it in one line.
  const folder = path.join(fs.realpathSync(os.tmpdir()), 'w');
  fs.mkdirSync(folder);
  const made: TestBackend = await kind.create();
  const { backend } = made;
  const tools = createAgentTools({
    host: backendHost({
      // Tests use neither the shell nor the history nor npm's settings of the user who runs them.
      environments: [
        {
          id: 'here',
          label: kind.name,
          backend,
          cwd: folder,
          shell: '/bin/bash',
          env: { HISTFILE: '', ...withoutNpmSettings() },
        },
      ],
    }),
    ...options,
  });
  const call: ToolsFixture['call'] = async (name, input, { agent = 'tester', signal } = {}) =>
    answerOf(await tools.call(name, input, { agent: { id: agent, name: agent }, signal }));
  return {
    backend,
    tools,
    folder,
    call,
    start: async (input, callOptions) => {
      const reply = await call('exec_command', { yield_time_ms: 0, ...input }, callOptions);
      assert.equal(reply.isError, false, reply.text);
      return Number(reply.structured['session']);
    },
    dispose: async () => {
      tools.dispose();
      await made.dispose();
      removeFolder(folder);
    },
  };
}

/**
 * npm without the user's settings: it warns of settings that it does not know, and passes all of them on to programs.
 */
function withoutNpmSettings(): Readonly<Record<string, string | null>> {
  const given = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  return {
    ...Object.fromEntries(given.map((name) => [name, null])),
    npm_config_userconfig: os.devNull,
  };
}

function answerOf(reply: ToolReply): Answer {
  const [head = '', ...rest] = reply.text.split('\nOutput:\n');
  return {
    ...reply,
    output: rest.join('\nOutput:\n'),
    line: (name) =>
      head
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2) ?? assert.fail(`There is no ${name} in:\n${reply.text}`),
  };
}

/** The tag of the tests over a kind: `npm test` has the local backend alone, since all kinds keep one contract. */
export function tagOf({ name, server }: BackendKind): string {
  return server === undefined || name.endsWith('@all') ? '' : ' @all';
}

/** The deviations of a kind of server, by the title of their test. */
export function deviationsOf(kind: BackendKind): readonly ToolDeviation[] {
  return kind.server === 'codex' ? codexToolDeviations : [];
}

/** Declares a test of the tools. */
export type DeclareToolTest = (
  title: string,
  run: (fixture: ToolsFixture) => Promise<void>,
  options?: ToolsOptions,
) => void;

/**
 * Declares tests of the tools over one kind of backend, each with tools of its own. If its server has a known
 * deviation, that is tested instead.
 */
export function toolTests(kind: BackendKind): DeclareToolTest {
  const deviations = deviationsOf(kind);
  return (title, run, options = {}) => {
    const deviation = deviations.find(({ test }) => test === title);
    it(title, async () => {
      const fixture = await makeTools(kind, options);
      try {
        await (deviation?.instead ?? run)(fixture);
      } finally {
        await fixture.dispose();
      }
    });
  };
}

/** Waits until the output has a line that matches. */
export async function untilPrinted(
  { call }: ToolsFixture,
  session: number,
  pattern: string,
  options: CallOptions = {},
): Promise<Answer> {
  const reply = await call('wait_for', { session, pattern, from: '0', timeout_ms: 55_000 }, options);
  assert.deepEqual(reply.structured['met'], ['pattern'], reply.text);
  return reply;
}
