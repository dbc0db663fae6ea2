import type { Dialect } from './scriptedModel.js';

/** A request of the Messages API. */
interface MessagesRequest {
  readonly model: string;
  readonly tools?: readonly MessagesTool[];
  readonly messages: readonly { readonly content: string | readonly MessagesBlock[] }[];
}

interface MessagesTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema?: unknown;
}

interface MessagesBlock {
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

const toolUse = (id: string): string => `toolu_${id}`;

/**
 * The Messages API, as Claude Code speaks it.
 *
 * @param prefix The beginning of the names of tools that the script leaves out.
 */
export function claudeDialect(prefix = ''): Dialect<MessagesRequest> {
  return {
    path: /^\/v1\/messages(?:\?|$)/,
    toolsIn: ({ tools = [] }) =>
      tools.map(({ name, description = '', input_schema }) => ({ name, description, schema: input_schema })),
    resultIn({ messages }, { id }) {
      const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      const block = blocks.find((each) => each.tool_use_id === toolUse(id));
      return typeof block?.content === 'string'
        ? block.content
        : block?.content?.map(({ text = '' }) => text).join('');
    },
    noticeIn({ messages }) {
      const content = messages.at(-1)?.content ?? '';
      const texts = typeof content === 'string' ? [content] : content.map(({ text = '' }) => text);
      return texts.find((text) => text.includes('<task-notification>'));
    },
    answer({ model }, call) {
      const usage = { input_tokens: 1, output_tokens: 1 };
      const [block, delta] =
        call === undefined
          ? [
              { type: 'text', text: '' },
              { type: 'text_delta', text: 'done' },
            ]
          : [
              { type: 'tool_use', id: toolUse(call.id), name: `${prefix}${call.tool}`, input: {} },
              { type: 'input_json_delta', partial_json: JSON.stringify(call.args) },
            ];
      // Claude Code takes messages with the same id for one.
      const id = `msg_${call?.id ?? 'last'}`;
      const message = { id, type: 'message', role: 'assistant', model, content: [], usage };
      return [
        { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
          usage,
        },
        { type: 'message_stop' },
      ]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('');
    },
  };
}

/** A request of the Gemini API. */
interface GeminiRequest {
  readonly tools?: readonly { readonly functionDeclarations?: readonly GeminiTool[] }[];
  readonly contents: readonly { readonly parts?: readonly GeminiPart[] }[];
}

interface GeminiTool {
  readonly name: string;
  readonly description: string;
  readonly parametersJsonSchema?: unknown;
  readonly parameters?: unknown;
}

interface GeminiPart {
  readonly functionResponse?: { readonly response: { readonly output?: string; readonly error?: string } };
}

/** The Gemini API, as Gemini CLI speaks it. The prefix is as above. */
export function geminiDialect(prefix = ''): Dialect<GeminiRequest> {
  return {
    path: /:streamGenerateContent(?:\?|$)/,
    toolsIn: ({ tools = [] }) =>
      tools
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map(({ name, description, parametersJsonSchema, parameters }) => ({
          name,
          description,
          schema: parametersJsonSchema ?? parameters,
        })),
    resultIn({ contents }) {
      const parts = contents.at(-1)?.parts ?? [];
      const response = parts.find(({ functionResponse }) => functionResponse)?.functionResponse?.response;
      return response?.output ?? response?.error;
    },
    answer(_, call) {
      const part =
        call === undefined
          ? { text: 'done' }
          : { functionCall: { name: `${prefix}${call.tool}`, args: call.args } };
      const answer = {
        candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      };
      return `data: ${JSON.stringify(answer)}\n\n`;
    },
  };
}

/** A request of the Responses API. */
interface ResponsesRequest {
  readonly tools?: readonly {
    readonly name?: string;
    readonly description?: string;
    readonly parameters?: unknown;
  }[];
  readonly input: readonly { readonly call_id?: string; readonly output?: string }[];
}

/** The Responses API, as Codex speaks it. */
export const responsesDialect: Dialect<ResponsesRequest> = {
  path: /^\/v1\/responses$/,
  toolsIn: ({ tools = [] }) =>
    tools.map(({ name = '', description = '', parameters }) => ({ name, description, schema: parameters })),
  resultIn: ({ input }, { id }) =>
    input.find(({ call_id, output }) => call_id === id && output !== undefined)?.output,
  answer(_, call) {
    const item =
      call === undefined
        ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }
        : { type: 'function_call', call_id: call.id, name: call.tool, arguments: JSON.stringify(call.args) };
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    const response = { id: `response-${call?.id ?? 'last'}` };
    return [
      { type: 'response.created', response },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { ...response, usage } },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
  },
};

/** A request of the Chat Completions API. */
interface ChatRequest {
  readonly tools?: readonly {
    readonly function?: {
      readonly name: string;
      readonly description?: string;
      readonly parameters?: unknown;
    };
  }[];
  readonly messages: readonly { readonly tool_call_id?: string; readonly content?: unknown }[];
}

/** The Chat Completions API, as Copilot CLI, opencode and Qwen Code speak it. */
export const chatDialect: Dialect<ChatRequest> = {
  path: /^\/v1\/chat\/completions$/,
  toolsIn: ({ tools = [] }) =>
    tools
      .flatMap((tool) => tool.function ?? [])
      .map(({ name, description = '', parameters }) => ({
        name,
        description,
        schema: parameters,
      })),
  resultIn({ messages }, { id }) {
    const content = messages.find(({ tool_call_id }) => tool_call_id === id)?.content;
    return content === undefined
      ? undefined
      : typeof content === 'string'
        ? content
        : JSON.stringify(content);
  },
  answer(_, call) {
    const delta =
      call === undefined
        ? { role: 'assistant', content: 'done' }
        : {
            role: 'assistant',
            tool_calls: [
              {
                index: 0,
                id: call.id,
                type: 'function',
                function: { name: call.tool, arguments: JSON.stringify(call.args) },
              },
            ],
          };
    const chunk = { id: 'chunk', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [
      [{ index: 0, delta, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: call === undefined ? 'stop' : 'tool_calls' }],
    ];
    return [...choices.map((each) => JSON.stringify({ ...chunk, choices: each, usage })), '[DONE]']
      .map((data) => `data: ${data}\n\n`)
      .join('');
  },
};
