import { metadataIn, type ReceiptCause } from '../metadata.js';
import type { ProcessInfo, StopStep } from '../process/execBackend.js';
import type { ExitStatus } from '../process/execEvents.js';
import type { Sandbox } from '../process/sandbox.js';
import { quoteCommandLine } from '../launch/command.js';
import { maskArguments, maskSecrets } from '../secrets/maskSecrets.js';
import { endedByAgentsSignal, endedByPersonsSignal } from '../process/signalledBy.js';
import type { Receipt, ReceiptLeader, ReceiptLeftover } from './receipt.js';

/** The most characters of a receipt as JSON. */
const LONGEST_LINE = 4_000;
/** The most characters of each text. They are tried in this order until the receipt is short enough. */
const TEXT_LIMITS = [1_000, 200, 40];
/** The longest name, and title, in characters. */
const NAME_LENGTH = 60;
/** The most leftover processes that a receipt names. */
const MOST_LEFT = 5;

/** The facts about a session that its process does not tell. */
interface ReceiptFacts {
  readonly host: string;
  readonly mark?: string | undefined;
  readonly leader?: ReceiptLeader | undefined;
  /** Whether a window itself runs the session. */
  readonly window?: boolean;
  readonly steps: readonly StopStep[];
  readonly left: readonly ReceiptLeftover[];
  /** The cause of its end, if its metadata does not name one. */
  readonly endedBy?: ReceiptCause | undefined;
}

/** The texts of a process with evident secrets masked, before anything is cut. */
interface MaskedTexts {
  readonly argv: readonly string[];
  readonly commandLine: string;
  readonly cwd: string;
  readonly folder: string | undefined;
  readonly title: string | undefined;
  readonly sandbox: Sandbox | undefined;
  /** Whether nothing was masked that is needed to start the process again. */
  readonly whole: boolean;
}

/** The receipt of a process as it is now. */
export function makeReceipt(info: ProcessInfo, facts: ReceiptFacts): Receipt {
  const texts = maskedTexts(info);
  let receipt: Receipt | undefined;
  for (const limit of TEXT_LIMITS) {
    receipt = withTexts(info, facts, texts, limit);
    if (JSON.stringify(receipt).length <= LONGEST_LINE) {
      return receipt;
    }
  }
  return { ...withTexts(info, facts, texts, 0), incomplete: true };
}

function maskedTexts({ metadata, argv, cwd, sandbox }: ProcessInfo): MaskedTexts {
  const commandLine = metadataIn(metadata, 'commandLine') ?? quoteCommandLine(argv);
  const folder = metadataIn(metadata, 'folder');
  const title = metadataIn(metadata, 'title');
  const masked = {
    argv: maskArguments(argv),
    commandLine: maskSecrets(commandLine),
    cwd: maskSecrets(cwd),
    folder: folder === undefined ? undefined : maskSecrets(folder),
    title: title === undefined ? undefined : maskSecrets(title),
    sandbox: sandbox && {
      ...sandbox,
      places: sandbox.places.map(({ path, access }) => ({ path: maskSecrets(path), access })),
    },
  };
  const whole =
    masked.argv.every((argument, index) => argument === argv[index]) &&
    masked.commandLine === commandLine &&
    masked.cwd === cwd &&
    (masked.sandbox?.places ?? []).every(({ path }, index) => path === sandbox?.places[index]?.path);
  return { ...masked, whole };
}

function withTexts(info: ProcessInfo, facts: ReceiptFacts, texts: MaskedTexts, limit: number): Receipt {
  const { metadata, processId, exit, exitedAt, output } = info;
  const { argv, commandLine, cwd, folder, title, sandbox, whole } = texts;
  const kept = upTo(limit, argv);
  const paths = sandbox?.places.map(({ path }) => path) ?? [];
  const places = sandbox?.places.slice(0, upTo(limit, paths).length);
  const incomplete =
    !whole ||
    kept.length < argv.length ||
    commandLine.length > limit ||
    cwd.length > limit ||
    (places?.length ?? 0) < paths.length;
  const endedBy =
    exit && (metadataIn(metadata, 'endedBy')?.cause ?? facts.endedBy ?? signalledBy(info, exit));
  const number = metadataIn(metadata, 'agent')?.number;
  return {
    id: processId,
    sessionId: metadataIn(metadata, 'sessionId') ?? processId.slice(0, 2 * NAME_LENGTH),
    argv: kept,
    commandLine: commandLine.slice(0, limit),
    cwd: cwd.slice(0, limit),
    tty: info.tty,
    ...(sandbox && places && { sandbox: { ...sandbox, places } }),
    ...(title !== undefined && { title: title.slice(0, NAME_LENGTH) }),
    origin: named(metadataIn(metadata, 'origin')),
    ...(number !== undefined && { number }),
    ...(folder !== undefined && { folder: folder.slice(0, limit) }),
    ...(facts.mark !== undefined && { mark: facts.mark }),
    ...(facts.leader !== undefined && { leader: facts.leader }),
    ...(facts.window === true && { window: true as const }),
    host: facts.host.slice(0, NAME_LENGTH),
    startedAt: info.startedAt,
    ...(exit && { end: { kind: 'exit', at: exitedAt ?? info.startedAt, status: maskedExit(exit, limit) } }),
    ...(endedBy && { endedBy: named(endedBy) }),
    steps: facts.steps,
    left: facts.left.slice(0, MOST_LEFT).map(({ pid, startTime, command }) => ({
      pid,
      startTime,
      command: maskSecrets(command).slice(0, NAME_LENGTH),
    })),
    bytes: output.bytes,
    evictedBytes: output.evicted.bytes,
    ...(info.state === 'exited' && { outputOpen: true }),
    ...(incomplete && { incomplete }),
  };
}

/** An end without the secrets in a file's name. */
function maskedExit({ refused, ...exit }: ExitStatus, limit: number): ExitStatus {
  const file = refused?.file === undefined ? undefined : maskSecrets(refused.file).slice(0, limit);
  return { ...exit, ...(refused && { refused: { ...(file !== undefined && { file }) } }) };
}

/** The first texts that together have at most this many characters. */
function upTo(limit: number, texts: readonly string[]): readonly string[] {
  let room = limit;
  const end = texts.findIndex((text) => (room -= text.length + 1) < 0);
  return end < 0 ? texts : texts.slice(0, end);
}

/** The sender of the signal that ended the program. */
function signalledBy(info: ProcessInfo, { signal }: ExitStatus): ReceiptCause | undefined {
  if (endedByPersonsSignal(info)) {
    return { kind: 'person' };
  }
  if (!endedByAgentsSignal(info)) {
    return undefined;
  }
  const name = metadataIn(info.metadata, 'signalledBy')?.name;
  return { kind: 'agent', ...(name !== undefined && { name }), ...(signal !== undefined && { signal }) };
}

function named<T extends { readonly name?: string }>(somebody: T): T {
  return somebody.name === undefined ? somebody : { ...somebody, name: somebody.name.slice(0, NAME_LENGTH) };
}
