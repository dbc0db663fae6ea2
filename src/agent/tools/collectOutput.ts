import { Alarm, type Clock, metadataIn, spanText } from '../../core/index.js';
import { type Digest, estimateTokens, OutputDigest } from '../text/index.js';

import type { AgentSession } from '../session/agentSession.js';
import { inputAwaited } from './inputAwaited.js';
import { comes, firstOf, isAborted, meanwhile, type Condition } from '../wait/conditions.js';
import { OutputReader, type OutputSink } from '../wait/outputReader.js';
import type { Answer } from './reply.js';
import { CallCancelled } from '../toolError.js';
import type { ToolCall } from './toolCall.js';

/**
 * How long to wait after the exit for the output to close, in milliseconds: a background child may hold it for ever.
 */
const REPLY_CLOSE_GRACE_MS = 100;
/** How often a waiting call reports progress, in milliseconds. */
const PROGRESS_MS = 5_000;

/** The endings that every wait can have. `left`: the process is no longer held. */
export type CommonEnding = 'secret' | 'asks' | 'left';

interface CollectOptions<R> {
  readonly clock: Clock;
  readonly maxTokens: number;
  /** The conditions to wait for; those of {@link CommonEnding} are added. */
  readonly until: (reader: OutputReader) => readonly Condition<R>[];
  /** Whether a question that the agent knows of ends it too. */
  readonly asks?: boolean | undefined;
  /** A further fact for progress messages, as a sentence without its final stop. */
  readonly note?: () => string | undefined;
  /**
   * Called when the wait is over and the output has been read. It returns false if another wait of the same call was
   * over first. No output is taken then.
   */
  readonly counts?: ((ending: R | CommonEnding) => boolean) | undefined;
  /** Whether the wait goes on without this call when it ends like this. No output is taken then. */
  readonly goesOn?: ((ending: R | CommonEnding) => boolean) | undefined;
  /** A further sink for the output after the number `afterSeq`. */
  readonly alsoFor?: { readonly sink: OutputSink; readonly afterSeq: number } | undefined;
}

interface Collected<R> {
  readonly ending: R | CommonEnding;
  /** Absent if the output is no longer kept, or is left to the call in which the wait goes on. */
  readonly digest?: Digest;
  readonly goesOn?: true;
}

/**
 * Follows a session from the end of the output that the agent has got until a condition is met. Then it takes the
 * output up to that moment. Holds no lock: the output may be due to input of another agent.
 *
 * @throws CallCancelled; the agent has then got nothing, and gets the output with its next call.
 */
export async function collectOutput<R>(
  session: AgentSession,
  call: ToolCall,
  options: CollectOptions<R>,
): Promise<Collected<R>> {
  const { clock, maxTokens, alsoFor } = options;
  const { process } = session;
  if (process === undefined) {
    if (options.counts?.('left') === false) {
      throw new CallCancelled();
    }
    return { ending: 'left' };
  }
  const from = session.cursorOf(call.agent);
  const bytesBefore = process.info().output.bytes;
  const digest = new OutputDigest({
    maxTokens,
    ...session.terminal,
    from,
    fullScreen: session.fullScreenFor(call.agent),
  });
  const startedAt = clock.now();
  const watch = session.watchedBy(call.agent);
  const reader = new OutputReader(
    process,
    Math.min(from.afterSeq, alsoFor?.afterSeq ?? Infinity),
    [digest, streamsInto(session), ...(alsoFor ? [alsoFor.sink] : [])],
    clock,
  );
  call.progress?.(`${session.name}: waiting`);
  try {
    const ending = await firstOf<R | CommonEnding | 'cancelled'>([
      isAborted(call.signal, 'cancelled'),
      ...options.until(reader),
      inputAwaited(session, call, reader, clock, options.asks ?? false),
      (met) => session.onDidLeave(() => met('left')),
      meanwhile(clock, PROGRESS_MS, () => {
        const bytes = session.info().output.bytes - bytesBefore;
        const age = spanText(clock.now() - startedAt);
        const note = options.note?.();
        call.progress?.(
          `${session.name}: waiting for ${age}, ${bytes} bytes of output meanwhile${note === undefined ? '' : `; ${note}`}`,
        );
      }),
    ]);
    const complete =
      ending !== 'cancelled' &&
      (await firstOf([
        isAborted(call.signal, false),
        (met) => session.onDidLeave(() => met(true)),
        comes(
          Promise.all([session.secret.lookLast(call.signal, reader), reader.caughtUp()]).then(() => true),
        ),
      ]));
    if (ending === 'cancelled' || !complete || options.counts?.(ending) === false) {
      throw new CallCancelled();
    }
    if (options.goesOn?.(ending) === true) {
      return { ending, goesOn: true };
    }
    const made = await digest.finish({
      final: reader.closed || reader.lost,
      goneThrough: () => {
        const { metadata, output } = process.info();
        return metadataIn(metadata, 'outputKept') ? 0 : output.evicted.throughSeq;
      },
    });
    session.given(call.agent, from, made.next, made.fullScreen);
    session.stateToldTo(call.agent);
    return { ending, digest: made };
  } finally {
    watch.dispose();
    reader.dispose();
  }
}

/** Takes note of the streams that output comes from. */
function streamsInto({ seenStreams }: AgentSession): OutputSink {
  return {
    push: (event) => {
      if (event.type === 'output') {
        seenStreams.add(event.stream);
      }
    },
    drained: () => Promise.resolve(),
  };
}

/** Met when the process ends: when its output closes, or {@link REPLY_CLOSE_GRACE_MS} after an exit without a close. */
export function processEnds<R>(reader: OutputReader, clock: Clock, reason: R): Condition<R> {
  return (met) => {
    const alarm = new Alarm(clock);
    const grace = () => alarm.set(REPLY_CLOSE_GRACE_MS, () => met(reason));
    if (reader.closed || reader.lost) {
      met(reason);
    }
    if (reader.exited) {
      grace();
    }
    const events = reader.onEvent((event) => {
      if (event === 'closed' || event === 'lost') {
        met(reason);
      } else if (event === 'exited') {
        grace();
      }
    });
    return {
      dispose: () => {
        alarm.dispose();
        events.dispose();
      },
    };
  };
}

/** The parts of a reply that are about the collected output. */
export function outputAnswer(
  digest: Digest | undefined,
): Pick<Answer, 'outputTokens' | 'shownTokens' | 'cursor' | 'output' | 'ifEmpty' | 'isNew' | 'facts'> {
  return digest === undefined
    ? {}
    : {
        outputTokens: digest.originalTokens,
        ...(digest.leftOut && { shownTokens: estimateTokens(digest.text) }),
        cursor: digest.next,
        output: digest.text,
        ifEmpty: 'Output: nothing new',
        isNew: true,
        facts: { leftOut: digest.leftOut, outputBytes: digest.bytes },
      };
}
