import type { ExitStatus, ProcessInfo, Sandbox } from '../../core/index.js';
import { type ProcessDescription, uriFromPath } from '../../protocol/index.js';
import type { Standing } from './viewers.js';

/** Describes a process for a client that knows it by the name `processId`, if it has given it one. */
export function describeProcess(
  info: ProcessInfo,
  processId: string | undefined,
  view: Standing,
): ProcessDescription {
  const { exit, pid, exitedAt, closedAt, size, output } = info;
  return {
    handle: info.processId,
    ...(processId !== undefined && { processId }),
    argv: [...info.argv],
    cwd: uriFromPath(info.cwd),
    tty: info.tty,
    pipeStdin: info.pipeStdin,
    state: info.state,
    ...(pid !== undefined && { pid }),
    startedAt: info.startedAt,
    ...(exitedAt !== undefined && { exitedAt }),
    ...(closedAt !== undefined && { closedAt }),
    ...(exit && { exitCode: exit.exitCode, ...howItEnded(exit) }),
    ...(size && { size }),
    output: {
      bytes: output.bytes,
      chunks: output.chunks,
      retainedBytes: output.retainedBytes,
      evicted: output.evicted,
      lastSeq: output.lastSeq,
    },
    metadata: info.metadata,
    ...(info.owned === true && { owned: true }),
    ...(info.sandbox && { sandbox: describeSandbox(info.sandbox) }),
    ...(view !== 'none' && { view }),
  };
}

export function describeSandbox({ places, network }: Sandbox): NonNullable<ProcessDescription['sandbox']> {
  return { places: places.map(({ path, access }) => ({ path: uriFromPath(path), access })), network };
}

/** The members for an exit beside its code, the same in all messages. */
export function howItEnded({ signal, refused }: ExitStatus) {
  return {
    sandboxDenied: refused !== undefined,
    ...(signal !== undefined && { exitSignal: signal }),
    ...(refused?.file !== undefined && { deniedFile: refused.file }),
  };
}
