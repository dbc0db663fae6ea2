/** What a client is called that does not say its name. */
const NAMELESS = 'MCP client';
const LONGEST_NAME = 60;

/**
 * Makes a name of what a client says of itself, its title if it has one: one line of at most 60 characters, with nothing
 * in it that a terminal or a list would obey.
 */
export function clientNameOf(clientInfo: unknown): string {
  const { title, name } = (clientInfo ?? {}) as { readonly title?: unknown; readonly name?: unknown };
  return cleanLine(title) ?? cleanLine(name) ?? NAMELESS;
}

function cleanLine(text: unknown): string | undefined {
  if (typeof text !== 'string') {
    return undefined;
  }
  const clean = text
    .slice(0, LONGEST_NAME * 10)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return Array.from(clean).slice(0, LONGEST_NAME).join('').trim() || undefined;
}
