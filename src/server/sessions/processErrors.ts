import { ExecError, isExecError } from '../../core/index.js';

/** An error of the backend, which knows a process by its handle, for the client, which has another name for it. */
export function inWordsOfClient(error: unknown, processId: string): unknown {
  if (!isExecError(error) || !('processId' in error.failure)) {
    return error;
  }
  const handle = error.failure.processId;
  return new ExecError(
    { ...error.failure, processId },
    { code: error.code, message: error.wireMessage.replace(handle, () => processId) },
  );
}
