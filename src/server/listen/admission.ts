import type { IncomingMessage } from 'node:http';

import { objectionTo, type TokenCheck } from './bearerToken.js';
import type { PlainAnswer } from './handshakeRequest.js';
import { TcpOwners } from './tcpOwners.js';

/**
 * Decides whether a client may connect.
 *
 * @returns the answer to one that may not.
 */
export type Admission = (request: IncomingMessage) => Promise<PlainAnswer | undefined>;

const ROOT = 0;

/** Lets in clients that show a valid token. */
export function withToken(check: TokenCheck): Admission {
  return async ({ headers }) => {
    const objection = await objectionTo(headers.authorization, check);
    return objection === undefined ? undefined : { status: 401, text: objection };
  };
}

/**
 * Lets in the user of this process, and root, whom nothing keeps out anyway.
 *
 * @param log Told of each other user once.
 */
export function onlyOwner(log: (line: string) => void, owners = new TcpOwners()): Admission {
  const told = new Set<number | undefined>();
  return async ({ socket }) => {
    const user = await owners.ofPeer(socket);
    if (user !== undefined && (user === ROOT || user === process.geteuid?.())) {
      return undefined;
    }
    if (!told.has(user)) {
      told.add(user);
      log(`Refused a connection of ${user === undefined ? 'an unknown user' : `the user ${user}`}.`);
    }
    return {
      status: 403,
      text:
        user === undefined
          ? 'This server is for its own user alone, and does not see whose connection this is. With `--ws-auth` it asks for a token instead.'
          : 'This server is for its own user alone. With `--ws-auth` it asks for a token instead.',
    };
  };
}
