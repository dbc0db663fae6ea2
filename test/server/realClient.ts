import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';

import { WebSocket } from 'ws';

import { WireCode, webSocketClientOptions, webSocketTransport } from '../../src/protocol/index.js';
import { versions } from '../rig/versions.js';
import { ifCodex, startCodexServer } from '../support/codexServer.js';
import type { RunningServer, ServerOptions } from '../support/execServer.js';
import { assertGolden } from '../support/golden.js';
import { RawClient } from './rawClient.js';

export interface RealServer {
  /** A client after the handshake. */
  readonly client: RawClient;
  readonly server: RunningServer;
}

/** A request as a test shows it, and the answer without what differs from run to run. */
export type Exchange = readonly [request: string, answer: unknown];

/** A difference that is intended: the beginning of the requests, the reason, and our answer. */
export interface Difference {
  readonly requests: RegExp;
  readonly why: string;
  readonly ours: unknown;
}

/**
 * Returns the answers of the real server by topic. They are recorded in `golden/real/NAME.txt` when the tests run with
 * UPDATE_GOLDEN=1; one test compares the recording with the real server. It is declared first, because the tests that
 * follow read what it has recorded.
 */
export function useRecording(
  name: string,
  topics: readonly string[],
  play: (real: RealServer, topic: string) => Promise<readonly Exchange[]>,
  options: ServerOptions = {},
): (topic: string) => readonly Exchange[] {
  const heading = `codex exec-server ${versions.codex}`;
  for (const title of ifCodex(`The recording real/${name} @all`)) {
    describe(title, () => {
      it('is what the real server answers', async () => {
        const real = await startRealServer(options);
        try {
          let text = `${heading}\n`;
          for (const topic of topics) {
            const exchanges = (await play(real, topic)).map(plain);
            const lines = exchanges.map(
              ([request, answer]) => `-> ${request}\n<- ${JSON.stringify(answer)}\n`,
            );
            text += `\n${topic}\n${lines.join('')}`;
          }
          assertGolden(import.meta.dirname, `real/${name}`, text);
        } finally {
          real.client.transport.destroy('the test is over');
          await real.server.stop();
        }
      });
    });
  }
  return (topic) => {
    const file = path.join(import.meta.dirname, 'golden/real', `${name}.txt`);
    const [version, ...parts] = fs.readFileSync(file, 'utf8').trimEnd().split('\n\n');
    assert.equal(version, heading, `${name} is of another version: record it with UPDATE_GOLDEN=1.`);
    const part = parts.find((text) => text.startsWith(`${topic}\n`));
    assert.ok(part, `${name} has nothing of ${topic}: record it with UPDATE_GOLDEN=1.`);
    return [...part.matchAll(/^-> (.*)\n<- (.*)$/gm)].map(([, request = '', answer = '']): Exchange => [
      request,
      JSON.parse(answer),
    ]);
  };
}

/** Asserts that we answer as the real server does, except where a difference is intended. */
export function assertAlike(
  ours: readonly Exchange[],
  theirs: readonly Exchange[],
  differences: readonly Difference[] = [],
): void {
  const expected = theirs.map(([request, answer]): Exchange => {
    const difference = differences.find(({ requests }) => requests.test(request));
    if (difference === undefined) return [request, answer];
    assert.notDeepEqual(answer, difference.ours, `${request} is answered alike now`);
    return [request, difference.ours];
  });
  assert.deepEqual(ours.map(plain), expected);
}

/** An exchange as JSON has it, with the number of repetitions in place of a text that repeats a thousand times. */
export function plain(exchange: Exchange): Exchange {
  const text = JSON.stringify(exchange);
  const short = text.replaceAll(/(.)\1{999,}/g, (run, one: string) => `${one} × ${run.length}`);
  return JSON.parse(short) as Exchange;
}

async function startRealServer(options: ServerOptions): Promise<RealServer> {
  const server = await startCodexServer({ umask: '022', ...options, args: ['--concurrent-requests', '8'] });
  const socket = new WebSocket(server.url, webSocketClientOptions);
  await once(socket, 'open');
  const client = new RawClient(webSocketTransport(socket, { peer: 'codex' }));
  await client.handshake();
  return { client, server };
}

/** An error as both servers have it. Each describes faults of parameters and of base64 in its own words. */
export function withoutOwnWords({
  code,
  message,
}: {
  readonly code: number;
  readonly message: string;
}): object {
  const own =
    code === WireCode.invalidParams || code === WireCode.methodNotFound || message.includes('base64');
  return own ? { code } : { code, message };
}
