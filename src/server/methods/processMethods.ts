import {
  childVariables,
  ExecError,
  type ProcessInfo,
  type ReadResponse,
  type StartedWith,
  type StopReport,
  type Variables,
  wireFormOf,
} from '../../core/index.js';
import {
  Answer,
  decodeBase64,
  encodeBase64,
  type ParamsOf,
  pathFromUri,
  type ResultOf,
  uriFromPath,
  WireCode,
  WireError,
} from '../../protocol/index.js';
import type { ReceiptBook } from '../../machine/index.js';
import { MOST_METADATA_CHARACTERS } from '../limits.js';
import { answerBudgets } from './answerBudget.js';
import type { ConnectionSession } from '../sessions/connectionSession.js';
import type { ConnectionContext, MethodHandlers, ServerEnvironment } from './methodHandlers.js';
import { describeListener, lookAtPort, usageAnswer } from './portsAndUsage.js';
import { describeProcess, describeSandbox, howItEnded } from '../sessions/processDescription.js';
import { pageOfList, wholeList } from './processList.js';
import { inWordsOfClient, type SessionProcess } from '../sessions/sessionProcess.js';
import { metadataOfCodex } from './metadataOfCodex.js';
import { decodeSandbox, refuseOtherProtection } from './sandbox.js';
import type { ConnectionSessions } from '../sessions/connectionSessions.js';

/** The methods `process/*` of one connection. */
export function processMethods(options: {
  /** Returns the session of the connection. Only to be called once the handshake is done. */
  session: () => ConnectionSession;
  sessions: ConnectionSessions;
  /** Whether processes can be owned. */
  ownership: boolean;
  /** The signals that clients may name. */
  signals: readonly string[];
  receipts: ReceiptBook | undefined;
}): MethodHandlers {
  const { sessions, signals, ownership, receipts } = options;
  const current = options.session;
  const look = (session: ConnectionSession) => async () => {
    const infos = await sessions.list(session);
    const { names } = session;
    const describe = (info: ProcessInfo) =>
      describeProcess(info, names.get(info.processId), session.standing(info.processId));
    return { infos, describe };
  };
  return {
    'process/start': async (params, { wire, environment }) => {
      const owned = ownership && params.owned === true;
      const started = await start(current(), { ...params, owned }, environment, wire.upToDate());
      await receipts?.begun(started.process.processId);
      return startAnswer(started, params);
    },

    'process/read': (params, context) => read(current(), params, context),

    'process/write': async ({ processId, chunk, writeId }, { signal }) => {
      const bytes = decodeBase64(chunk, 'chunk');
      if (writeId === '') {
        throw new WireError(WireCode.invalidParams, 'writeId must not be empty');
      }
      return { status: await current().write(processId, bytes, writeId, signal) };
    },

    'process/signal': async ({ processId, signal }) => {
      if (signal !== 'interrupt' && !signals.includes(signal)) {
        const message = `"signal" is wrong: it has to be "interrupt", or a signal of this machine by its name`;
        throw new WireError(WireCode.invalidParams, message);
      }
      await current().signal(processId, signal === 'interrupt' ? 'SIGINT' : signal);
      return {};
    },

    'process/terminate': async ({ processId }) => ({ running: await current().terminate(processId) }),

    'process/resize': async ({ processId, size }) => {
      try {
        await (await current().started(processId)).process.resize(size);
      } catch (error) {
        throw inWordsOfClient(error, processId);
      }
      return {};
    },

    'process/inputMode': async ({ processId }) => {
      const { process } = await current().started(processId);
      return { mode: (await process.inputMode()) ?? null };
    },

    'process/inputWait': async ({ processId }) => {
      const { process } = await current().started(processId);
      return { wait: (await process.inputWait()) ?? null };
    },

    'process/closeStdin': async ({ processId }, { signal }) => {
      await (await current().started(processId)).closeStdin(signal);
      return {};
    },

    'process/stop': async ({ processId, stopId, graceMs }) => {
      return stopAnswer(await current().stop(processId, stopId, graceMs ?? {}));
    },

    'process/cancelStop': ({ stopId }) => {
      current().cancelStop(stopId);
      return {};
    },

    'process/survivors': async ({ processId }) => {
      const { process } = await current().started(processId);
      return { survivors: [...(await process.survivors())] };
    },

    'process/listeners': async ({ processId, port }, context) => {
      const session = current();
      const { process } = await session.started(processId);
      const found = await lookAtPort(context, () => process.listeners(port));
      return { listeners: found.map((listener) => describeListener(listener, session.names)) };
    },

    'process/usage': async ({ processId }, context) => {
      const { process } = await current().started(processId);
      return usageAnswer(await lookAtPort(context, () => process.usage()));
    },

    'process/seqBefore': async ({ processId, time }) => {
      const { process } = await current().started(processId);
      return { seq: await process.seqBefore(time) };
    },

    'process/endSurvivor': async ({ processId, pid, startTime, graceMs }) => {
      const grace: Record<string, number | undefined> = graceMs ?? {};
      const { process } = await current().started(processId);
      return stopAnswer(await process.endSurvivor({ pid, startTime }, { graceMs: grace }));
    },

    'process/list': (_params, context) => wholeList(look(current()), budgetOf(context)),

    'process/listPage': ({ after }, context) => pageOfList(after, look(current()), budgetOf(context)),

    'process/attach': async ({ handle, processId, windowBytes }) => {
      const session = current();
      if (!sessions.reaches(session, handle)) {
        throw new ExecError({ kind: 'unknownProcess', processId: handle });
      }
      const taken = await session.take(handle, processId, windowBytes);
      return new Answer({
        result: { process: describeProcess(taken.process.info(), processId, session.standing(handle)) },
        afterwards: () => taken.openOutput(),
      });
    },

    'process/describe': async ({ processId, patch, whenGone, provided }) => {
      await current().describe(processId, patch, { whenGone, provided });
      return {};
    },

    'process/startedWith': async ({ processId }, context) => {
      const { process } = await current().started(processId);
      const answer = startedWithAnswer(await process.startedWith());
      return budgetOf(context).run(JSON.stringify(answer).length, () => Promise.resolve(answer));
    },

    'process/view': async ({ processId, state }) => {
      await current().view(processId, state);
      return {};
    },

    ...(ownership && {
      'process/remove': async ({ handle, processId }) => {
        if (handle === undefined && processId === undefined) {
          throw new WireError(WireCode.invalidParams, 'either "handle" or "processId" has to be there');
        }
        await sessions.remove(current(), { handle, processId });
        return {};
      },
    }),
  };
}

async function start(
  session: ConnectionSession,
  params: ParamsOf<'process/start'>,
  { hostEnv, isOpen }: ServerEnvironment,
  upToDate: Promise<void>,
): Promise<SessionProcess> {
  const cwd = pathFromUri(params.cwd, { cwd: true });
  refuseOtherProtection(params);
  const metadata = params.clientMetadata ?? metadataOfCodex(params);
  checkMetadata(metadata);
  const env = asChildrenRead(params.env);
  const envPolicy = params.envPolicy
    ? { ...params.envPolicy, set: asChildrenRead(params.envPolicy.set) }
    : undefined;
  const variables = () => childVariables({ host: hostEnv, policy: envPolicy, overlay: env, windows: false });
  const sandbox = decodeSandbox(params.sandbox, { cwd, variables });
  if (sandbox?.network === true && isOpen === true) {
    throw new ExecError({ kind: 'noSandbox', reason: 'openServer' });
  }
  const request = {
    argv: params.argv,
    cwd,
    env,
    envPolicy,
    sandbox,
    tty: params.tty,
    pipeStdin: params.pipeStdin,
    arg0: params.arg0 ?? undefined,
    size: params.size,
    stderrToStdout: params.stderrToStdout,
    metadata,
    windowBytes: params.windowBytes,
    owned: params.owned,
    inherited: params.inherited,
  };
  return session.start(params.processId, request, upToDate);
}

function startAnswer(
  started: SessionProcess,
  { processId, sandbox }: ParamsOf<'process/start'>,
): Answer<ResultOf<'process/start'>> {
  const { pid } = started.process.info();
  // The real server says so even of a sandbox that is switched off.
  const sandboxType = (sandbox ?? null) === null ? 'none' : 'linuxSeccomp';
  return new Answer({
    result: { processId, sandboxType, ...(pid !== undefined && { pid }) },
    afterwards: () => started.openOutput(),
  });
}

function startedWithAnswer(asked: StartedWith): ResultOf<'process/startedWith'> {
  const { envPolicy, arg0, size, pipeStdin, stderrToStdout, sandbox } = asked;
  return {
    argv: [...asked.argv],
    cwd: uriFromPath(asked.cwd),
    env: { ...asked.env },
    tty: asked.tty,
    ...(envPolicy && {
      envPolicy: {
        ...envPolicy,
        exclude: [...envPolicy.exclude],
        set: { ...envPolicy.set },
        includeOnly: [...envPolicy.includeOnly],
      },
    }),
    ...(pipeStdin !== undefined && { pipeStdin }),
    ...(arg0 !== undefined && { arg0 }),
    ...(size && { size }),
    ...(stderrToStdout !== undefined && { stderrToStdout }),
    ...(asked.owned === true && { owned: true }),
    ...(sandbox && { sandbox: describeSandbox(sandbox) }),
  };
}

/** It goes into each list of processes, where one process must not be larger than a message. */
function checkMetadata(metadata: object | undefined): void {
  if (metadata !== undefined && JSON.stringify(metadata).length > MOST_METADATA_CHARACTERS) {
    const limit = `${MOST_METADATA_CHARACTERS} characters at most`;
    throw new WireError(WireCode.invalidParams, `"clientMetadata" is too large: it may have ${limit}`);
  }
}

function stopAnswer(report: StopReport): ResultOf<'process/stop'> {
  return { ...report, steps: [...report.steps], survivors: [...report.survivors] };
}

/**
 * Variables as a child reads them. A child ends a name at the first "=": it cannot tell `A=B` with the value `c` from
 * `A` with `B=c`. A backend refuses such names, but clients of the real server may use them.
 */
function asChildrenRead(variables: Variables): Variables {
  const read: Record<string, string> = {};
  // Sorted as the real server does it, backwards: of two with the same name, a child finds the first.
  for (const [name, value] of Object.entries(variables).sort(([one], [other]) => (one < other ? 1 : -1))) {
    const [start = '', ...rest] = name.split('=');
    read[start] = [...rest, value].join('=');
  }
  return read;
}

/**
 * The budget for answers about processes. It is not that of files and HTTP, which may be slow and must not delay these.
 */
const budgetOf = answerBudgets();

async function read(
  session: ConnectionSession,
  params: ParamsOf<'process/read'>,
  context: ConnectionContext,
): Promise<ResultOf<'process/read'>> {
  const { process } = await session.started(params.processId);
  const afterSeq = params.afterSeq ?? undefined;
  const maxBytes = params.maxBytes ?? undefined;
  const waitMs = params.waitMs ?? 0;
  if (waitMs > 0) {
    // This read only waits for an event. The output is read when there is room for the answer.
    await process.read({ afterSeq, maxBytes: 0, waitMs }, context.signal);
  }
  const { retainedBytes } = process.info().output;
  return budgetOf(context).run(Math.min(retainedBytes, maxBytes ?? retainedBytes), async () =>
    readAnswer(await process.read({ afterSeq, maxBytes })),
  );
}

function readAnswer(read: ReadResponse): ResultOf<'process/read'> {
  return {
    chunks: read.chunks.map(({ seq, stream, bytes, size }) => ({
      seq,
      stream,
      chunk: encodeBase64(bytes),
      ...(size && { size }),
    })),
    nextSeq: read.nextSeq,
    exited: read.exited,
    exitCode: read.exit?.exitCode ?? null,
    closed: read.closed,
    failure: read.failure === undefined ? null : wireFormOf(read.failure).message,
    sandboxDenied: false,
    ...(read.exit && howItEnded(read.exit)),
    ...(read.exitSeq !== undefined && { exitSeq: read.exitSeq }),
    ...(read.evicted && { evicted: read.evicted }),
  };
}
