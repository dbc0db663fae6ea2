import { isMemberName, isRecord } from '../../core/index.js';
import type { ListedMember } from './listedMember.js';
import { jsonOf, runProgram, type RunOptions, wordOf } from './runProgram.js';

type ContainerEngine = 'docker' | 'podman';

/** A program that the kernel kills for its memory ends with this code, and others do too. */
const KILLED = 137;
/** One look asks for so many killed containers whether they ran out of memory. */
const MAX_KILLED = 50;

/** @param filters Filters of `ps`, with spaces between them; a word alone is a part of the name. */
export async function listContainers(
  engine: ContainerEngine,
  filters: string,
  options: RunOptions,
): Promise<readonly ListedMember[]> {
  const given = filters.split(/\s+/).filter((word) => word !== '');
  const args = given.map((word) => `--filter=${word.includes('=') ? word : `name=${word}`}`);
  // Docker's own word is `json` only from version 23 on.
  const format = engine === 'docker' ? '{{json .}}' : 'json';
  const answer = await runProgram(
    [engine, 'ps', '--all', '--no-trunc', ...args, `--format=${format}`],
    options,
  );
  const members = rowsOf(engine, answer).flatMap((row) => containerOf(engine, row) ?? []);
  return withMemoryKills(engine, members, options);
}

/** Docker answers with a line for each, podman with a list. */
function rowsOf(engine: ContainerEngine, answer: string): readonly unknown[] {
  if (answer.trimStart().startsWith('[')) {
    const rows = jsonOf(engine, answer);
    return Array.isArray(rows) ? rows : [];
  }
  const lines = answer.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => jsonOf(engine, line));
}

function containerOf(engine: ContainerEngine, row: unknown): ListedMember | undefined {
  if (!isRecord(row)) {
    return undefined;
  }
  const { Names, State, Status, ExitCode } = row;
  const [first] = Array.isArray(Names) ? (Names as readonly unknown[]) : [Names];
  const [name] = typeof first === 'string' ? first.split(',') : [];
  const state = wordOf(State);
  if (name === undefined || !isMemberName(engine, name) || state === undefined) {
    return undefined;
  }
  switch (state) {
    case 'running':
      return { engine, name, state: 'running' };
    case 'exited':
    case 'stopped':
    case 'dead': {
      const [, told] = /^Exited \((\d{1,3})\)/.exec(String(Status)) ?? [];
      const code = typeof ExitCode === 'number' ? ExitCode : told;
      return { engine, name, state: 'ended', detail: code === undefined ? state : `exit code ${code}` };
    }
    default:
      return { engine, name, state: 'waiting', detail: state };
  }
}

/** `ps` does not say why a container was killed. */
async function withMemoryKills(
  engine: ContainerEngine,
  members: readonly ListedMember[],
  options: RunOptions,
): Promise<readonly ListedMember[]> {
  const killed = members.filter(({ detail }) => detail === `exit code ${KILLED}`).slice(0, MAX_KILLED);
  const why = await Promise.all(
    killed.map(
      async (member) =>
        [member, await containerEnd(engine, member.name, options).catch(() => undefined)] as const,
    ),
  );
  const known = new Map(why);
  return members.map((member) => ({ ...member, detail: known.get(member) ?? member.detail }));
}

/** Why a container has ended; undefined if it has not. */
export async function containerEnd(
  engine: ContainerEngine,
  name: string,
  options: RunOptions,
): Promise<string | undefined> {
  const answer = await runProgram(
    [engine, 'inspect', '--type=container', '--format={{json .State}}', name],
    options,
  );
  const state = jsonOf(engine, answer);
  if (!isRecord(state) || (state['Status'] !== 'exited' && state['Status'] !== 'dead')) {
    return undefined;
  }
  return `${state['OOMKilled'] === true ? 'OOMKilled, ' : ''}exit code ${Number(state['ExitCode'])}`;
}
