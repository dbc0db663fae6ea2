import { agentName, commandText, type MetadataPatch, shorten } from '../../core/index.js';
import type { ParamsOf } from '../../protocol/index.js';

/** The longest command that is kept beside the arguments, in characters. */
const COMMAND_LENGTH = 4_000;

/** The metadata for a command that Codex itself starts, from what Codex says of it; undefined for other clients. */
export function metadataOfCodex({ metadata, argv }: ParamsOf<'process/start'>): MetadataPatch | undefined {
  const { threadId: conversation, toolCallId: call } = metadata ?? {};
  return conversation === undefined
    ? undefined
    : {
        origin: { kind: 'agent', name: agentName('codex'), conversation, call },
        commandLine: shorten(commandText(argv), COMMAND_LENGTH),
      };
}
