import { Alarm, type Clock, INPUT_LOOKS_MS, nothingToDispose } from '../../core/index.js';

import type { AgentSession } from '../session/agentSession.js';
import type { ToolCall } from './toolCall.js';
import type { Condition } from '../wait/conditions.js';
import type { OutputReader } from '../wait/outputReader.js';

/**
 * Met when the program waits for a secret, or asks a question, that the agent does not know of. Looks only while
 * nothing is printed, and less and less often. While a person has control, questions are for that person.
 *
 * @param anyQuestion Whether a question counts in any case.
 */
export function inputAwaited(
  session: AgentSession,
  call: Pick<ToolCall, 'agent' | 'signal'>,
  reader: OutputReader,
  clock: Clock,
  anyQuestion: boolean,
): Condition<'secret' | 'asks'> {
  const { look, secret } = session;
  return (met) => {
    if (!look.findsSecrets) {
      return nothingToDispose;
    }
    let looks = 0;
    let disposed = false;
    const alarm = new Alarm(clock);
    const lookNow = async () => {
      const wait = await look.now(reader.silentMs);
      if (disposed) {
        return;
      }
      secret.beginIf(wait, call.signal);
      if (wait?.kind === 'secret' && secret.isNewTo(call.agent)) {
        met('secret');
      } else if (anyQuestion ? look.question : session.controller === 'agent' && look.asksAnew(call.agent)) {
        met('asks');
      } else {
        next();
      }
    };
    const next = () => {
      const [first, second, third, again] = INPUT_LOOKS_MS;
      alarm.set([first, second - first, third - second][looks] ?? again, lookNow);
      looks += 1;
    };
    next();
    const output = reader.onEvent(() => {
      looks = 0;
      next();
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
