import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod/mini';

import type { Agent } from '../agent/index.js';
import type { Tasks } from './tasks.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';

/** The extension as both sides announce it: the server once, the client in each request. */
export const TASKS_CAPABILITY = { extensions: { [EXTENSION]: {} } };

/** Whether the client of a request can poll a task. All others would lose the result. */
export function pollsTasks({ mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] as Partial<typeof TASKS_CAPABILITY> | undefined;
  return capabilities?.extensions?.[EXTENSION] !== undefined;
}

/** Answers the polls, the cancels and the updates of tasks. */
export function serveTasks(
  { server }: McpServer,
  tasks: Tasks,
  agentNamed: (name: string) => Agent | Promise<Agent>,
): void {
  const serve = (method: string, answer: (taskId: string) => Promise<Result> | Result): void =>
    server.setRequestHandler(
      method,
      { params: z.looseObject({ taskId: z.string() }) },
      ({ taskId }, context) => {
        if (!pollsTasks(context)) {
          throw new MissingRequiredClientCapabilityError({ requiredCapabilities: TASKS_CAPABILITY });
        }
        return answer(taskId);
      },
    );
  serve('tasks/get', (taskId) => tasks.get(taskId, agentNamed));
  serve('tasks/cancel', async (taskId) => {
    await tasks.cancel(taskId);
    return {};
  });
  // No task asks its client for anything, so there is nothing to take.
  serve('tasks/update', () => ({}));
}
