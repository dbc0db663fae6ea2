import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

import { versions } from '../../rig/versions.js';
import type { OfferedTool } from '../scriptedModel.js';
import type { PeerJob } from './peerJobs.js';
import type { Seen, Shell } from './shells.js';

/** A program, and the texts that a model saw of it. */
export interface Column {
  readonly shell: Shell;
  readonly seen: Seen;
}

const tokenizer = new Tiktoken(o200k);

/** Texts that look like special tokens are counted as texts. */
const tokensOf = (text: string): number => tokenizer.encode(text, [], []).length;

const shown = (count: number): string => count.toLocaleString('en-US');

/**
 * The table of what models see, in Markdown.
 *
 * @param raw The output itself, by the titles of the jobs.
 */
export function peersTable(
  jobs: readonly PeerJob[],
  raw: ReadonlyMap<string, string>,
  columns: readonly Column[],
): string {
  const header = ['Command', 'What is wanted', 'Output', ...columns.map(({ shell }) => shell.name)];
  const rows = jobs.map((job) => [
    job.title.replaceAll('|', '\\|'),
    job.question,
    shown(tokensOf(raw.get(job.title) ?? '')),
    ...columns.map((column) => cellOf(job, column)),
  ]);
  const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const tools = columns.map(
    ({ shell, seen }) => `${shell.name} ${shown(costOf(seen.definitions))} (${namesOf(seen.definitions)})`,
  );
  return [
    ...table,
    '',
    `Codex ${versions.codex}, Claude Code ${versions.claude}, Gemini CLI ${versions.gemini}. A dash: the tool gave commands no terminal.`,
    '',
    `The definitions of these tools, which every request of a model carries: ${tools.join(', ')}.`,
  ].join('\n');
}

function cellOf(job: PeerJob, { shell, seen }: Column): string {
  if (!canRun(shell, job)) return '–';
  const text = seen.texts.get(job.title);
  if (text === undefined) throw new Error(`${shell.name} has no reply for ${job.title}.`);
  return `${shown(tokensOf(text))}, ${job.isAnswered(text.replaceAll(job.cmd, '')) ? 'yes' : 'no'}`;
}

export function canRun(shell: Shell, job: PeerJob): boolean {
  return shell.terminals || !job.tty;
}

function costOf(definitions: readonly OfferedTool[]): number {
  const texts = definitions.map(
    ({ name, description, schema }) => `${name}\n${description}\n${JSON.stringify(schema)}`,
  );
  return texts.reduce((sum, text) => sum + tokensOf(text), 0);
}

function namesOf(definitions: readonly OfferedTool[]): string {
  return definitions.length > 2
    ? `${definitions.length} tools`
    : definitions.map(({ name }) => `\`${name}\``).join(', ');
}
