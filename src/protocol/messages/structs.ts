import type * as z from 'zod/mini';

import { envPolicySchema, httpHeaderSchema, requests } from './methods.js';

/** How the real server knows a kind of object: by name in its errors, and by position where an array is sent. */
export interface Struct {
  readonly name: string;
  /** All members in their order, if it is not that of the schema. */
  readonly fields?: readonly string[];
}

const START_FIELDS = [
  'processId',
  'metadata',
  'argv',
  'cwd',
  'envPolicy',
  'shellSnapshot',
  'env',
  'tty',
  'pipeStdin',
  'arg0',
  'sandbox',
  'enforceManagedNetwork',
  'managedNetwork',
  'networkProxy',
];

const structs = new Map<z.core.$ZodType, Struct>([
  [requests.initialize.params, { name: 'InitializeParams' }],
  [requests['process/start'].params, { name: 'WireExecParams', fields: START_FIELDS }],
  [requests['process/read'].params, { name: 'ReadParams' }],
  [requests['process/write'].params, { name: 'WriteParams' }],
  [requests['process/signal'].params, { name: 'SignalParams' }],
  [requests['process/terminate'].params, { name: 'TerminateParams' }],
  [requests['fs/readFile'].params, { name: 'WireFsReadFileParams' }],
  [requests['fs/writeFile'].params, { name: 'WireFsWriteFileParams' }],
  [requests['fs/createDirectory'].params, { name: 'WireFsCreateDirectoryParams' }],
  [requests['fs/getMetadata'].params, { name: 'WireFsGetMetadataParams' }],
  [requests['fs/canonicalize'].params, { name: 'WireFsCanonicalizeParams' }],
  [requests['fs/readDirectory'].params, { name: 'WireFsReadDirectoryParams', fields: ['path', 'sandbox'] }],
  [requests['fs/walk'].params, { name: 'WireFsWalkParams' }],
  [requests['fs/walk'].params.shape.options, { name: 'WalkOptions' }],
  [requests['fs/remove'].params, { name: 'WireFsRemoveParams' }],
  [requests['fs/copy'].params, { name: 'WireFsCopyParams' }],
  [requests['fs/open'].params, { name: 'WireFsOpenParams', fields: ['handleId', 'path', 'mode', 'sandbox'] }],
  [requests['fs/readBlock'].params, { name: 'FsReadBlockParams' }],
  [requests['fs/writeBlock'].params, { name: 'FsWriteBlockParams' }],
  [requests['fs/close'].params, { name: 'FsCloseParams' }],
  [requests['http/request'].params, { name: 'HttpRequestParams' }],
  [httpHeaderSchema, { name: 'HttpHeader' }],
  [envPolicySchema, { name: 'ExecEnvPolicy' }],
]);

export function structOf(schema: z.core.$ZodType): Struct {
  return structs.get(schema) ?? { name: 'Params' };
}
