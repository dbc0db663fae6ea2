import { Alarm, type Clock, INPUT_LOOKS_MS, nothingToDispose } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import type { KnownAgent } from '../session/agents.js';
import type { Condition } from '../wait/conditions.js';
import type { OutputReader } from '../wait/outputReader.js';

/**
 * Met when the program waits for a secret, or asks a question, that the agent does not know of. Looks only while
 * nothing is printed, and less and less often. While a person has control, questions are for that person.
 */
export function inputAwaited(
  session: AgentSession,
  reader: OutputReader,
  options: {
    readonly agent: KnownAgent;
    readonly clock: Clock;
    /** Whether any question counts. */
    readonly asks: boolean | undefined;
  },
): Condition<'secret' | 'asks'> {
  const { agent, clock, asks = false } = options;
  const { look, secret } = session;
  return (met) => {
    if (!look.findsSecrets) {
      return nothingToDispose;
    }
    let disposed = false;
    let looks = 0;
    let round = 0;
    const alarm = new Alarm(clock);
    const lookNow = async () => {
      const mine = round;
      const wait = await look.now(reader.silentMs);
      if (disposed) {
        return;
      }
      if (wait?.kind === 'secret') {
        secret.begin();
      }
      const isNew = look.asksAnew(agent) && session.controller === 'agent';
      if (wait?.kind === 'secret' && secret.isNewTo(agent)) {
        met('secret');
      } else if (isNew || (asks && look.question !== undefined)) {
        met('asks');
      } else if (mine === round) {
        next();
      }
    };
    const next = () => {
      alarm.set(pauseBefore(looks), lookNow);
      looks += 1;
    };
    next();
    const output = reader.onEvent((event) => {
      round += 1;
      looks = 0;
      alarm.dispose();
      if (event === 'output') {
        next();
      }
    });
    return {
      dispose: () => {
        disposed = true;
        alarm.dispose();
        output.dispose();
      },
    };
  };
}

/** The pause before a look, after so many others in this silence. */
function pauseBefore(looks: number): number {
  const [first, second, third, again] = INPUT_LOOKS_MS;
  return [first, second - first, third - second][looks] ?? again;
}
