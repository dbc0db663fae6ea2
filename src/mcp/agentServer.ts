import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';

import type { Agent, AgentTools } from '../agent/index.js';
import type { Clock } from '../core/index.js';
import { resultOf, saidMeanwhile } from './callResult.js';
import { clientNameOf, logLine, wellFormed } from './cleanText.js';
import { introduce, type ServedDefinition } from './introduction.js';
import { patienceOf } from './patience.js';
import { ProgressTicker } from './progress.js';
import { pollsTasks, serveTasks, TASKS_CAPABILITY } from './taskRequests.js';
import type { Tasks } from './tasks.js';

/** The tools to serve: those of agents, or others of the same kind. */
export interface ServedTools {
  readonly definitions: readonly ServedDefinition[];
  readonly call: AgentTools['call'];
}

export interface AgentServerOptions {
  readonly tools: ServedTools;
  /** The version of the program, for clients to show. */
  readonly version: string;
  readonly clock: Clock;
  /** Gets the errors, one line each. */
  readonly log: (line: string) => void;
}

/** The client that a server is for. */
interface AgentClient {
  readonly agent: (name: string) => Agent | Promise<Agent>;
  readonly tasks?: Tasks;
  readonly onCancelled?: (request: RequestId) => void;
}

/**
 * Makes the server for one client, or in the newest revision of the protocol for one request.
 *
 * @param client.agent The agent for this client, by the name that the client gives itself.
 * @param client.tasks Its tasks. Only clients of the newest revision have some.
 * @param client.onCancelled Called for a request that gets no answer, because it was cancelled or its connection has
 *   ended.
 */
export function createAgentServer(options: AgentServerOptions, client: AgentClient): McpServer {
  const { tools, version, clock, log } = options;
  const { serverInfo, capabilities, instructions, tools: listed } = introduce(tools.definitions, version);
  const product = new McpServer(serverInfo, {
    capabilities: { ...capabilities, ...(client.tasks && TASKS_CAPABILITY) },
    ...(instructions !== undefined && { instructions }),
  });
  // The layer below `McpServer`, because the tools have JSON Schemas already and check their input themselves.
  const { server } = product;
  if (client.tasks !== undefined) {
    serveTasks(product, client.tasks, client.agent);
  }
  server.onerror = (error) => log(logLine(error));
  server.setRequestHandler('tools/list', () => ({ tools: [...listed] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (!tools.definitions.some(({ name }) => name === params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${wellFormed(params.name)}`);
    }
    const call = new Call(context, clock, log);
    try {
      // Clients of the newest revision name themselves in each request. Those of older revisions do so once, and there
      // is no other way to read that.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      const info = clientOfRequest(context) ?? server.getClientVersion();
      const agent = await client.agent(clientNameOf(info));
      const tasks = pollsTasks(context) ? client.tasks : undefined;
      const { unfinished, ...reply } = await tools.call(params.name, wellFormed(params.arguments ?? {}), {
        agent,
        signal: call.signal,
        progress: call.progress,
        mayGoOn: tasks !== undefined,
        // A call whose wait may go on is answered early, since its model goes on as well.
        longestMs: tasks === undefined ? patienceOf(info) : undefined,
      });
      return unfinished === undefined || tasks === undefined
        ? resultOf(reply)
        : saidMeanwhile(await tasks.begin(unfinished, agent), reply);
    } finally {
      call.dispose();
      if (call.signal.aborted) {
        client.onCancelled?.(context.mcpReq.id);
      }
    }
  });
  return product;
}

function clientOfRequest({ mcpReq }: ServerContext): unknown {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return envelope[CLIENT_INFO_META_KEY];
}

/** The surroundings of one call of a tool: its cancellation and its progress notifications. */
class Call {
  /**
   * The objects whose end cancels the call. The request must be held here: otherwise nothing would abort its signal.
   */
  readonly #ends: readonly { readonly signal: AbortSignal }[];
  readonly #controller = new AbortController();
  readonly #ticker: ProgressTicker | undefined;

  constructor({ mcpReq, http }: ServerContext, clock: Clock, log: (line: string) => void) {
    // The end of the connection cancels the call as well: no client would get its answer, but its output would count as
    // read. The process continues either way.
    this.#ends = [mcpReq, ...(http?.req === undefined ? [] : [http.req])];
    for (const { signal } of this.#ends) {
      signal.addEventListener('abort', this.#end);
      if (signal.aborted) {
        this.#end();
      }
    }
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      this.#ticker = new ProgressTicker(clock, (progress) => {
        const params = { progressToken, ...wellFormed(progress) };
        mcpReq
          .notify({ method: 'notifications/progress', params })
          .catch((error: unknown) => log(logLine(error, 'no progress can be told')));
      });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly progress = (message: string): void => this.#ticker?.say(message);

  dispose(): void {
    this.#ticker?.dispose();
    this.#ends.forEach(({ signal }) => signal.removeEventListener('abort', this.#end));
  }

  readonly #end = (): void => this.#controller.abort();
}
