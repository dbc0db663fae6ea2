import assert from 'node:assert/strict';

import type { Call, Outputs, ToolOutput } from './modelServer.js';

/** The calls of a model, and the reading of their results. */

export interface ExecOptions {
  readonly tty?: boolean;
  readonly workdir?: string;
  /** How long the client waits before it tells the model that the command still runs. */
  readonly yield_time_ms?: number;
  readonly max_output_tokens?: number;
}

/** Longer than any test runs, in milliseconds: the client returns when the command ends. */
const TO_THE_END = 100_000;

/** A command for whose end the model waits. */
export function exec(callId: string, cmd: string, options: ExecOptions = {}): Call {
  return functionCall(callId, 'exec_command', { cmd, yield_time_ms: TO_THE_END, ...options });
}

/** A command that keeps running while the model does other things. */
export function execInBackground(callId: string, cmd: string, options: ExecOptions = {}): Call {
  // The client never waits for a shorter time.
  return exec(callId, cmd, { yield_time_ms: 250, ...options });
}

export function typeInto(sessionId: number, callId: string, chars: string, waitMs = TO_THE_END): Call {
  return functionCall(callId, 'write_stdin', { session_id: sessionId, chars, yield_time_ms: waitMs });
}

/** Waits for more output of a command, or for its end. */
export function poll(sessionId: number, callId: string, waitMs = TO_THE_END): Call {
  return typeInto(sessionId, callId, '', waitMs);
}

export function viewImage(callId: string, path: string): Call {
  return functionCall(callId, 'view_image', { path });
}

export function applyPatch(callId: string, ...lines: readonly string[]): Call {
  const input = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
  return { type: 'custom_tool_call', call_id: callId, name: 'apply_patch', input };
}

export function mcpTool(callId: string, server: string, name: string, args: object = {}): Call {
  return { ...functionCall(callId, name, args), namespace: `mcp__${server}` };
}

function functionCall(callId: string, name: string, args: object): Call {
  return { type: 'function_call', call_id: callId, name, arguments: JSON.stringify(args) };
}

/** The result of a call. @throws if the call has no result */
export function outputOf(outputs: Outputs, callId: string): ToolOutput {
  return outputs.get(callId) ?? assert.fail(`Nothing came back for ${callId}.`);
}

/** The report on a command that the model gets. */
export interface CommandResult {
  readonly exitCode: number | undefined;
  /** Present while it runs. */
  readonly sessionId: number | undefined;
  readonly output: string;
}

export function resultOf(outputs: Outputs, callId: string): CommandResult {
  const { text } = outputOf(outputs, callId);
  const match =
    /(?:exited with code (?<code>-?\d+)|running with session ID (?<id>\d+))[^]*?\nOutput:\n(?<output>[^]*)/.exec(
      text,
    );
  const { code, id, output } = match?.groups ?? assert.fail(`${callId} is no command that ran: ${text}`);
  return {
    exitCode: code === undefined ? undefined : Number(code),
    sessionId: id === undefined ? undefined : Number(id),
    output: output ?? '',
  };
}

/** The session of a command that still runs. */
export function sessionOf(outputs: Outputs, callId: string): number {
  return (
    resultOf(outputs, callId).sessionId ??
    assert.fail(`${callId} has ended: ${outputOf(outputs, callId).text}`)
  );
}
