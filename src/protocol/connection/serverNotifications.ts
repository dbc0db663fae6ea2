import * as z from 'zod/mini';

import {
  serverNotifications,
  type ServerNotificationName,
  type ServerNotificationParams,
} from '../messages/methods/index.js';
import type { ServerNotificationHandlers } from './wireConnection.js';

/**
 * Hands a server's notification to its handler. Ignores an unknown one, and logs one whose parameters make no sense.
 */
export function notifyHandlers(
  handlers: ServerNotificationHandlers,
  name: string,
  params: unknown,
  log: (line: string) => void,
): void {
  if (isServerNotification(name)) {
    notify(handlers, name, params, log);
  }
}

function isServerNotification(name: string): name is ServerNotificationName {
  return Object.hasOwn(serverNotifications, name);
}

function notify<N extends ServerNotificationName>(
  handlers: Pick<ServerNotificationHandlers, N>,
  name: N,
  params: unknown,
  log: (line: string) => void,
): void {
  const schemas: { readonly [M in ServerNotificationName]: z.core.$ZodType<ServerNotificationParams<M>> } =
    serverNotifications;
  const read = z.safeParse(schemas[name], params);
  if (read.success) {
    handlers[name]?.(read.data);
  } else {
    const [issue] = read.error.issues;
    log(`${name} makes no sense: "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`);
  }
}
