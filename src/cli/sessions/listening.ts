import { type Clock, delay, type ExecProcess } from '../../core/index.js';
import { portsInText } from '../../terminal/index.js';
import { followLines } from './followLines.js';

/** How often ports are looked at, in milliseconds. */
const LOOK_MS = 100;

/** The port, or the reason why it is not known. */
export type PortOutcome = number | 'ended' | 'aborted';

/**
 * Waits until a session listens at a port: the given one, or any port that its output names.
 *
 * @throws ExecError of kind `unsupported` if its machine cannot tell who listens.
 * @throws CliError if the session can never be reached again.
 */
export async function untilListening(
  clock: Clock,
  process: ExecProcess,
  port: number | undefined,
  signal: AbortSignal,
): Promise<PortOutcome> {
  const over = new AbortController();
  const named =
    port === undefined ? portsNamed(clock, process, AbortSignal.any([signal, over.signal])) : undefined;
  try {
    while (!signal.aborted) {
      const { state } = process.info();
      for (const one of named?.ports ?? (port === undefined ? [] : [port])) {
        if ((await process.listeners(one)).some(({ own }) => own)) {
          return one;
        }
      }
      if (state === 'closed' || state === 'failed') {
        return 'ended';
      }
      await delay(clock, LOOK_MS, signal);
    }
    return 'aborted';
  } finally {
    over.abort();
    await named?.watching;
  }
}

interface NamedPorts {
  /** The ports that the output has named so far. */
  readonly ports: ReadonlySet<number>;
  /** Resolves when no more output is read, and rejects as {@link followLines} does. */
  readonly watching: Promise<unknown>;
}

function portsNamed(clock: Clock, process: ExecProcess, signal: AbortSignal): NamedPorts {
  const ports = new Set<number>();
  const watching = followLines(clock, process, signal, (lines) => {
    lines.flatMap(portsInText).forEach((port) => ports.add(port));
    return undefined;
  });
  // It is awaited at the end, and can fail before.
  watching.catch(() => undefined);
  return { ports, watching };
}
