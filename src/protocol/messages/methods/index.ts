/**
 * Every method and notification of the wire, with the schema of its content. Unknown members are ignored; members that
 * only some servers send are optional. An addition of our own server to the protocol of `codex exec-server` is marked
 * "ours". Clients may use it only if the server has announced it, see {@link serverAdditions}. Members of parameters
 * stand in the order of the real server, which also takes them by position; ours follow.
 */

import type * as z from 'zod/mini';

import { baseRequests } from './baseRequests.js';
import { fileRequests } from './fileRequests.js';
import type { clientNotifications, serverNotifications } from './notifications.js';
import { ownRequests } from './ownRequests.js';

export type { EnvironmentInfo } from './baseRequests.js';
export * from './notifications.js';
export type { ListenerDescription } from './ownRequests.js';
export type { ProcessDescription } from './processDescription.js';
export type { ServerAdditions } from './serverAdditions.js';

/** The requests of clients. */
export const requests = { ...baseRequests, ...ownRequests, ...fileRequests } as const;

type Requests = typeof requests;
type ClientNotifications = typeof clientNotifications;
type ServerNotifications = typeof serverNotifications;

export type RequestName = keyof Requests;
export type ParamsOf<M extends RequestName> = z.infer<Requests[M]['params']>;
export type ResultOf<M extends RequestName> = z.infer<Requests[M]['result']>;
export type ClientNotificationName = keyof ClientNotifications;
export type ClientNotificationParams<N extends ClientNotificationName> = z.infer<ClientNotifications[N]>;
export type ServerNotificationName = keyof ServerNotifications;
export type ServerNotificationParams<N extends ServerNotificationName> = z.infer<ServerNotifications[N]>;
