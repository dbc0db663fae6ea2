import fs from 'node:fs';
import path from 'node:path';

/**
 * The rooms of src/, each with the rooms that it may import; CONTRIBUTING.md shows them. ESLint checks the table
 * (`import-x/no-restricted-paths`), so imports point one way, inside the rooms too.
 */
const rooms = {
  core: [],
  terminal: ['core'],
  local: ['core'],
  protocol: ['core'],
  remote: ['core', 'protocol'],
  sessions: ['core', 'terminal'],
  agent: ['core', 'terminal'],
  mcp: ['core', 'agent'],
  machine: ['core', 'local', 'remote'],
  cli: ['core', 'terminal', 'remote', 'machine'],
  server: ['core', 'local', 'protocol', 'remote', 'machine', 'agent', 'mcp'],
  vscode: ['core', 'terminal', 'local', 'remote', 'machine', 'sessions', 'agent', 'mcp', 'api'],
  entry: ['core', 'vscode', 'api'],
  api: [],
};

/**
 * The rooms inside a room. The files at the top of a room may import all of its inner rooms; these may import only the
 * files in `base` back.
 */
const innerRooms = {
  protocol: {
    base: ['limits.ts'],
    rooms: { messages: [], transport: [], connection: ['messages', 'transport'] },
  },
  remote: {
    base: ['limits.ts'],
    rooms: { connect: [], session: ['connect'], log: ['session'], process: ['session', 'log'] },
  },
  server: {
    base: ['limits.ts', 'quotas.ts', 'endOnSignal.ts'],
    rooms: {
      listen: [],
      sessions: [],
      outputFiles: [],
      methods: ['sessions', 'outputFiles'],
      mcp: ['listen'],
    },
  },
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

const src = path.join(import.meta.dirname, '../../src');

function outerZones() {
  return Object.entries(rooms).map(([room, may]) => ({
    target: `./src/${room}`,
    from: './src',
    except: [room, ...may].map((other) => `./${other}`),
    message: `src/${room} may not import this: see the rooms in CONTRIBUTING.md.`,
  }));
}

function innerZones() {
  return Object.entries(innerRooms).flatMap(([room, { base, rooms: inner }]) =>
    Object.entries(inner).map(([name, may]) => ({
      target: `./src/${room}/${name}`,
      from: `./src/${room}`,
      except: [name, ...may, ...base].map((other) => `./${other}`),
      message: `src/${room}/${name} may not import this: see the rooms in CONTRIBUTING.md.`,
    })),
  );
}

/**
 * Files that may be imported past the index.ts of their folder, which would load parts that must wait for their first
 * use.
 */
const sideDoors = {
  agent: ['definitions.ts', 'plainInput.ts'],
  mcp: ['greeting.ts'],
  protocol: ['limits.ts'],
};

/** A folder that has an index.ts is imported through that file alone, its face. */
function faceZones() {
  const folders = fs
    .readdirSync(src, { recursive: true })
    .filter((file) => path.basename(file) === 'index.ts')
    .map((file) => path.dirname(file).replaceAll(path.sep, '/'));
  return folders.flatMap((folder) => {
    const steps = folder.split('/');
    const elsewhere = steps.flatMap((step, depth) => {
      const above = ['./src', ...steps.slice(0, depth)].join('/');
      return [`${above}/*.ts`, `${above}/!(${step})/**`];
    });
    return elsewhere.map((target) => ({
      target,
      from: `./src/${folder}`,
      except: ['index.ts', ...(sideDoors[folder] ?? [])].map((file) => `./${file}`),
      message: `src/${folder} is entered through its index.ts.`,
    }));
  });
}

export const zones = [...outerZones(), ...innerZones(), ...faceZones()];
