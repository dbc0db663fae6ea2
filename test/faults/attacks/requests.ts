import { base64 } from '../../server/rawClient.js';
import type { Random } from '../../support/random.js';
import type { Json } from './mutate.js';

/** A request with nothing but right values, as a client could send it. */
export interface Request {
  readonly method: string;
  readonly params: Json;
}

const PATH = process.env['PATH'] ?? '/bin:/usr/bin';

const programs: readonly [readonly string[], ...(readonly string[])[]] = [
  ['cat'],
  ['/bin/sh', '-c', 'echo hi; exit 3'],
  ['head', '-c', '20000', '/dev/zero'],
  ['sleep', '30'],
  ['/nonexistent'],
];

/** One request of any kind about a few processes and a few files in a folder. */
export function anyRequest(folder: string, random: Random): Request {
  const processId = `p${random.between(0, 9)}`;
  const path = `file://${folder}/f${random.between(0, 4)}`;
  const handleId = `h${random.between(0, 4)}`;
  const stopId = `s${random.between(0, 4)}`;
  const graceMs = { interrupt: 0, hangup: 0, terminate: 10, kill: 100 };
  const size = { columns: 80, rows: 24 };
  const start = {
    processId,
    argv: [...random.of(programs)],
    cwd: `file://${folder}`,
    env: { PATH },
    tty: random.next() < 0.3,
    pipeStdin: true,
    envPolicy: {
      inherit: 'none',
      ignoreDefaultExcludes: false,
      exclude: ['*KEY*'],
      set: {},
      includeOnly: [],
    },
    size,
    windowBytes: 65_536,
  };
  const options = {
    maxDepth: 3,
    maxDirectories: 10,
    maxEntries: 100,
    followDirectorySymlinks: false,
    pruneHiddenDirectories: true,
  };
  const data = base64('some text\n');
  const url = 'http://127.0.0.1:1/';
  return random.of<Request>([
    { method: 'process/start', params: start },
    { method: 'process/start', params: start },
    { method: 'process/write', params: { processId, chunk: data, writeId: `w${random.between(0, 99)}` } },
    { method: 'process/read', params: { processId, afterSeq: 0, maxBytes: 100, waitMs: 0 } },
    { method: 'process/signal', params: { processId, signal: 'SIGINT' } },
    { method: 'process/terminate', params: { processId } },
    { method: 'process/resize', params: { processId, size } },
    { method: 'process/inputMode', params: { processId } },
    { method: 'process/inputWait', params: { processId } },
    { method: 'process/closeStdin', params: { processId } },
    { method: 'process/stop', params: { processId, stopId, graceMs } },
    { method: 'process/cancelStop', params: { stopId } },
    { method: 'process/survivors', params: { processId } },
    { method: 'process/listeners', params: { processId, port: 1 } },
    { method: 'process/usage', params: { processId } },
    { method: 'process/seqBefore', params: { processId, time: 1 } },
    { method: 'process/endSurvivor', params: { processId, pid: 999_999_999, startTime: '1' } },
    { method: 'process/list', params: {} },
    { method: 'process/listPage', params: { after: '' } },
    { method: 'process/attach', params: { handle: processId, processId } },
    { method: 'host/isListening', params: { port: 1 } },
    { method: 'environment/info', params: {} },
    { method: 'environment/status', params: {} },
    { method: 'initialize', params: { clientName: 'again' } },
    { method: 'http/request', params: { method: 'GET', url, requestId: 'r', timeoutMs: 100, headers: [] } },
    { method: 'fs/readFile', params: { path } },
    { method: 'fs/writeFile', params: { path, dataBase64: data } },
    { method: 'fs/createDirectory', params: { path, recursive: true } },
    { method: 'fs/getMetadata', params: { path } },
    { method: 'fs/canonicalize', params: { path } },
    { method: 'fs/readDirectory', params: { path: `file://${folder}` } },
    { method: 'fs/walk', params: { path: `file://${folder}`, options } },
    { method: 'fs/remove', params: { path, recursive: true, force: true } },
    { method: 'fs/copy', params: { sourcePath: path, destinationPath: `${path}c`, recursive: true } },
    { method: 'fs/open', params: { handleId, path, mode: 'read' } },
    { method: 'fs/readBlock', params: { handleId, offset: 0, len: 100 } },
    { method: 'fs/writeBlock', params: { handleId, offset: 0, chunk: data } },
    { method: 'fs/close', params: { handleId } },
    { method: 'no/such', params: {} },
  ]);
}
