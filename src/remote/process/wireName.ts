/**
 * The name of a process on the wire. Servers remember an id longer than we do, so each start gets a new one.
 *
 * @param count Different for each name.
 */
export function wireName(count: number, processId: string): string {
  return `${count}-${processId}`;
}

/** The id of the process with a name made by {@link wireName}. */
export function processIdOf(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}
