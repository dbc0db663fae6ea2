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

export function decodeMessage(line: string): GuardMessage {
  return JSON.parse(line) as GuardMessage;
}
