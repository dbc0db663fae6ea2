import type { ToolReply } from '../../../src/agent/tool.js';

/** The parts of a reply: its lines up to the output, and the output. */
export function parts({ text }: ToolReply): {
  readonly lines: readonly string[];
  readonly output: string | undefined;
} {
  const [head = '', ...output] = text.split('\nOutput:\n');
  return { lines: head.split('\n'), output: output.length === 0 ? undefined : output.join('\nOutput:\n') };
}

/** The line of this name in a reply, without the name. */
export function line(reply: ToolReply, name: string): string | undefined {
  const found = parts(reply).lines.find((each) => each.startsWith(`${name}: `));
  return found?.slice(name.length + 2);
}
