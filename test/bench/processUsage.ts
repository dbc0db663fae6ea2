import fs from 'node:fs';

/** The resources that a program and its helpers have used. Linux only, because it is read from /proc. */
export interface Usage {
  /** Processor time since its start. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  /** Bytes that it has written since its start, to sockets, pipes and files alike. */
  readonly writtenBytes: number;
}

/** Ticks a second in /proc: Linux tells every program this number, whatever the kernel's own clock does. */
const TICKS = 100;
const PAGE_BYTES = 4096;

/** The usage of a server and its helpers, without the processes that it runs for clients. */
export function usageOf(pid: number): Usage {
  const program = fs.readlinkSync(`/proc/${pid}/exe`);
  const helpers = childrenOf(pid).filter((child) => programOf(child) === program || isGuard(child));
  const all = [pid, ...helpers].map(usageOfOne);
  return {
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentBytes: all.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    writtenBytes: all.reduce((sum, { writtenBytes }) => sum + writtenBytes, 0),
  };
}

function usageOfOne(pid: number): Usage {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may contain spaces and brackets: the fields are counted from its end.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0] = [fields[11], fields[12]];
  const written = /^wchar: (\d+)$/m.exec(fs.readFileSync(`/proc/${pid}/io`, 'utf8'));
  return {
    cpuSeconds: (user + system) / TICKS,
    residentBytes: (fields[21] ?? 0) * PAGE_BYTES,
    writtenBytes: Number(written?.[1]),
  };
}

function childrenOf(pid: number): readonly number[] {
  return fs
    .readdirSync(`/proc/${pid}/task`)
    .flatMap((thread) => fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

/** Our guard waits in a shell, which has the name of the guard's program among its arguments. */
function isGuard(pid: number): boolean {
  try {
    return fs
      .readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      .split('\0')
      .some((word) => word.endsWith('/guard.js'));
  } catch {
    return false;
  }
}

function programOf(pid: number): string | undefined {
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`);
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}
