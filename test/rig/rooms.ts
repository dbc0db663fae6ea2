/**
 * The rooms of src/, each with the rooms that it may import; docs/internals.md shows them. A unit test checks the table
 * (`rooms.test.ts`), so imports point one way, inside the rooms too.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  core: [],
  terminal: ['core'],
  local: ['core', 'terminal'],
  protocol: ['core'],
  remote: ['core', 'terminal', 'protocol'],
  sessions: ['core', 'terminal'],
  agent: ['core', 'terminal'],
  mcp: ['core', 'agent'],
  machine: ['core', 'local', 'remote'],
  engines: ['core', 'remote', 'machine'],
  cli: ['core', 'terminal', 'remote', 'machine', 'engines'],
  server: ['core', 'local', 'protocol', 'remote', 'machine', 'engines', 'agent', 'mcp'],
  vscode: ['core', 'terminal', 'local', 'remote', 'machine', 'engines', 'sessions', 'agent', 'mcp', 'api'],
  entry: ['core', 'vscode', 'api'],
  api: [],
};

interface InnerRooms {
  readonly base: readonly string[];
  readonly rooms: Readonly<Record<string, readonly string[]>>;
}

/**
 * The rooms inside a room. The files at the top of a room may import all of its inner rooms; these may import only the
 * files in `base` back.
 */
const innerRooms: Readonly<Record<string, InnerRooms>> = {
  protocol: {
    base: ['limits.ts'],
    rooms: { messages: [], transport: [], connection: ['messages', 'transport'] },
  },
  remote: {
    base: ['limits.ts'],
    rooms: { connect: [], session: ['connect'], log: ['session'], process: ['session', 'log'] },
  },
  agent: {
    base: ['host.ts', 'tool.ts', 'toolError.ts', 'definitions.ts'],
    rooms: {
      text: [],
      input: [],
      wait: ['text'],
      session: ['text', 'wait'],
      tools: ['text', 'input', 'wait', 'session'],
    },
  },
  server: {
    base: ['limits.ts', 'quotas.ts', 'programEnd.ts'],
    rooms: {
      listen: [],
      sessions: [],
      outputFiles: [],
      methods: ['sessions', 'outputFiles'],
      mcp: ['listen'],
    },
  },
  terminal: { base: ['headless.ts'], rooms: { replay: [] } },
  sessions: {
    base: [],
    rooms: {
      list: [],
      words: ['list'],
      options: ['words'],
      environments: ['list', 'words', 'options'],
      viewer: ['list', 'words'],
      tree: ['list', 'words', 'environments'],
    },
  },
};

/**
 * Files that may be imported past the index.ts of their folder, which would load parts that must wait for their first
 * use.
 */
const sideDoors: Readonly<Record<string, readonly string[]>> = {
  agent: ['definitions.ts', 'input/plainInput.ts'],
  mcp: ['greeting.ts'],
  protocol: ['limits.ts'],
  terminal: ['headless.ts', 'pattern.ts', 'replay/replay.ts'],
};

/** An import of one file of src/ by another; both paths begin below src/. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** The faults of some imports, if there are any: a line for each. */
export function wrongImports(imports: readonly Import[], folders: Folders): readonly string[] {
  const wrong = imports.flatMap(({ from, to }) =>
    [wrongRoom(from, to), wrongInnerRoom(from, to), ...wrongDoors(from, to, folders)]
      .filter((why) => why !== undefined)
      .map((why) => `src/${from} imports src/${to}: ${why}`),
  );
  return [...wrong, ...circles(imports)];
}

/** The folders below src/ that have an index.ts. */
export type Folders = ReadonlySet<string>;

function wrongRoom(from: string, to: string): string | undefined {
  const [room = ''] = from.split('/');
  const may = rooms[room];
  const isIn = (other: string): boolean => to.startsWith(`${other}/`);
  return may === undefined || [room, ...may].some(isIn)
    ? undefined
    : `src/${room} may not import this: see the rooms in docs/internals.md.`;
}

function wrongInnerRoom(from: string, to: string): string | undefined {
  const [room = '', name = ''] = from.split('/');
  const inner = innerRooms[room];
  const may = inner?.rooms[name];
  if (inner === undefined || may === undefined || !to.startsWith(`${room}/`)) {
    return undefined;
  }
  const isIn = (other: string): boolean => to.startsWith(`${room}/${other}/`);
  return [name, ...may].some(isIn) || inner.base.some((file) => to === `${room}/${file}`)
    ? undefined
    : `src/${room}/${name} may not import this: see the rooms in docs/internals.md.`;
}

/** A folder that has an index.ts is imported through that file alone, its face. */
function wrongDoors(from: string, to: string, folders: Folders): readonly string[] {
  const steps = to.split('/').slice(0, -1);
  return steps
    .map((_, depth) => steps.slice(0, depth + 1).join('/'))
    .filter((folder) => folders.has(folder) && !from.startsWith(`${folder}/`))
    .filter(
      (folder) => !['index.ts', ...(sideDoors[folder] ?? [])].some((file) => to === `${folder}/${file}`),
    )
    .map((folder) => `src/${folder} is entered through its index.ts.`);
}

/** The files that import each other in a circle. */
function circles(imports: readonly Import[]): readonly string[] {
  const importedBy = new Map<string, string[]>();
  for (const { from, to } of imports) {
    importedBy.set(from, [...(importedBy.get(from) ?? []), to]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) {
      const circle = [...way.slice(way.indexOf(file)), file].map((one) => `src/${one}`);
      found.push(`These import each other in a circle: ${circle.join(' -> ')}`);
    } else if (!done.has(file)) {
      for (const next of importedBy.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    }
  };
  for (const file of importedBy.keys()) visit(file, []);
  return found;
}
