import { Alarm, type Clock } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { processEnds } from './collectOutput.js';
import { atOnce, type Condition, polled } from '../wait/conditions.js';
import type { OutputReader } from '../wait/outputReader.js';
import { PORT_POLL_MS, type PortWatch } from './portWatch.js';
import type { ToolInput } from '../input/toolSpecs.js';
import type { WaitEnding } from './waitText.js';

/**
 * Met when nothing is left to wait for. That is at the end of the output, or at the exit if the agent waits for that.
 * An exit during the wait also counts, unless the agent waits for the end of the output. A wait that begins after the
 * exit may be for processes that the command has left running. It waits for their output until that is closed. It waits
 * for their port as long as one of them is left, unless another process has the port.
 */
export function commandIsOver(
  session: AgentSession,
  reader: OutputReader,
  input: ToolInput<'wait_for'>,
  clock: Clock,
  port: PortWatch,
): Condition<WaitEnding> {
  const { exited, closed } = reader;
  if (reader.lost) {
    return atOnce('lost');
  }
  if (closed && input.port !== undefined && !input.exit && !input.closed) {
    const isOver = async () => (await port.isTaken()) || (await nothingIsLeft(session));
    return polled(clock, PORT_POLL_MS, isOver, 'closed');
  }
  const exitCounts = input.exit || (!exited && !input.closed);
  const reason = () => (reader.lost ? 'lost' : reader.closed ? 'closed' : 'exit');
  return exitCounts
    ? (met) => processEnds(reader, clock, undefined)(() => met(reason()))
    : closed
      ? atOnce('closed')
      : (met) =>
          reader.onEvent((event) => {
            if (event === 'closed' || event === 'lost') {
              met(event);
            }
          });
}

/** Whether nothing that an ended session has started runs any more, as far as its machine can tell. */
async function nothingIsLeft(session: AgentSession): Promise<boolean> {
  await session.lookForSurvivors();
  return session.survivors.length === 0;
}

/**
 * Met after a time of silence. The time counts from the beginning of the wait, because the time of earlier output is
 * unknown. A program that is blocked until its output has been read is not silent. Nor is a program whose machine
 * cannot be reached.
 */
export function isQuiet(
  session: AgentSession,
  reader: OutputReader,
  quietMs: number,
  clock: Clock,
  reason: WaitEnding,
): Condition<WaitEnding> {
  const { backend } = session.hosted;
  return (met) => {
    const alarm = new Alarm(clock);
    let disposed = false;
    let heardSince = clock.now();
    const connection = backend.onDidChangeConnection(() => (heardSince = clock.now()));
    const look = async () => {
      while (reader.behind && !disposed) {
        await reader.caughtUp();
      }
      const now = clock.now();
      if (backend.connection.kind === 'recovering') {
        heardSince = now;
      }
      const left = quietMs - Math.min(reader.silentMs, now - heardSince);
      if (disposed) {
        return;
      }
      if (left > 0) {
        alarm.set(left, look);
      } else {
        met(reason);
      }
    };
    alarm.set(quietMs, look);
    return {
      dispose: () => {
        disposed = true;
        alarm.dispose();
        connection.dispose();
      },
    };
  };
}
