/** What the guard is told, one JSON object a line. */
export type GuardMessage =
  | {
      readonly watch: number;
      /** When the leader began, if it is known: its pid may be somebody else's by the time it matters. */
      readonly startTime?: string | undefined;
    }
  | { readonly unwatch: number };

export function encodeMessage(message: GuardMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** @returns undefined for a line that was cut off: the host died while it wrote it. */
export function decodeMessage(line: string): GuardMessage | undefined {
  try {
    return JSON.parse(line) as GuardMessage;
  } catch {
    return undefined;
  }
}
