/** Modules of Node that few commands use; together they take 2 ms to load. */
const LATE: ReadonlySet<string> = new Set(['child_process', 'fs/promises', 'timers/promises']);

/** A `require` whose {@link LATE} modules are loaded when something of them is used. */
export function lateModules(load: (id: string) => unknown): (id: string) => unknown {
  return (id) => (LATE.has(id.replace(/^node:/, '')) ? late(() => load(id)) : load(id));
}

function late(load: () => unknown): unknown {
  return new Proxy({}, { get: (_, name) => Reflect.get(load() as object, name) as unknown });
}
