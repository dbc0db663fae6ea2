import { type HostInfo, isPossibleSize, type ProcessInfo } from '../../core/index.js';
import type { ProcessDescription } from '../../protocol/index.js';
import { nativePath } from '../session/hostInfo.js';
import { exitStatus } from '../session/notifications.js';
import { keptDescription } from './keptDescription.js';
import type { Origin } from './remoteProcess.js';
import { describedSandbox } from './sandboxOnWire.js';

/**
 * Translates a server's description of a process that has no name in this connection session. Its id is the server's
 * handle.
 */
export function describeProcess(said: ProcessDescription, host: HostInfo): ProcessInfo {
  const { argv, cwd, tty, pipeStdin, size, metadata, startedAt, exit, sandbox } = originOf(said, host);
  return {
    processId: said.handle,
    argv,
    cwd,
    tty,
    pipeStdin,
    state: said.state,
    ...(said.pid !== undefined && { pid: said.pid }),
    startedAt,
    ...(said.exitedAt !== undefined && { exitedAt: said.exitedAt }),
    ...(said.closedAt !== undefined && { closedAt: said.closedAt }),
    ...(exit && { exit }),
    ...(size && { size }),
    output: { ...said.output, missing: { chunks: 0, bytes: 0 } },
    metadata,
    ...(said.owned === true && { owned: true }),
    ...(sandbox && { sandbox }),
    ...(said.view === 'other' && { viewedElsewhere: true }),
  };
}

export function originOf(description: ProcessDescription, host: HostInfo): Origin {
  const said = keptDescription(description);
  return {
    argv: said.argv,
    cwd: nativePath(said.cwd, host.platform) ?? said.cwd,
    tty: said.tty,
    pipeStdin: said.pipeStdin,
    size: said.size !== undefined && isPossibleSize(said.size) ? said.size : undefined,
    metadata: said.metadata,
    startedAt: said.startedAt,
    state: said.state,
    exit: said.exitCode === undefined ? undefined : exitStatus(said),
    exitedAt: said.exitedAt,
    closedAt: said.closedAt,
    isForeign: true,
    priorSeq: description.output.lastSeq,
    owned: said.owned === true,
    sandbox: said.sandbox && describedSandbox(said.sandbox, host),
  };
}
