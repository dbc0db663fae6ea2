import * as fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { type HostVariables, isRecord } from '../core/index.js';
import { homeFolder } from '../local/index.js';
import { claudeDoorScript } from './claudeDoorScript.js';
import { privatePlaces } from './privateFolder.js';
import { StartError } from './startError.js';
import { absolute } from './userFolders.js';

/** The variable in Claude Code's settings that opens the door. */
const PREFIX = 'CLAUDE_CODE_SHELL_PREFIX';

/** The way by which the commands of Claude Code reach the session server. */
export interface ClaudeDoor {
  /** `changed`: the settings name another program. `broken`: they name our script, which cannot run. */
  readonly state: 'open' | 'closed' | 'changed' | 'broken';
  /** Claude Code's file, and the line in it that opens the door. */
  readonly settings: string;
  readonly entry: string;
  readonly script: string;
}

/** @throws Error if the settings cannot be read or understood. */
export function claudeDoorState(env: HostVariables): ClaudeDoor {
  const script = claudeDoorFile(env);
  const home = path.join(homeFolder(env) ?? '/', '.claude');
  const settings = path.join(absolute(env['CLAUDE_CONFIG_DIR']) ?? home, 'settings.json');
  const found = settingsIn(textOf(settings));
  const runs = ((fs.statSync(script, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0;
  if (found === undefined) throw new StartError(`${settings} is no valid JSON, or has no settings in it`);
  const named = found.env[PREFIX];
  const state = named === undefined ? 'closed' : named !== script ? 'changed' : runs ? 'open' : 'broken';
  return { state, settings, entry: `"${PREFIX}": ${JSON.stringify(script)}`, script };
}

/** No update or removal of the extension removes the script: without it, Claude Code can run no command. */
export function claudeDoorFile(env: HostVariables): string {
  const data = absolute(env['XDG_DATA_HOME']) ?? path.join(homeFolder(env) ?? '/', '.local', 'share');
  return path.join(data, 'exec-sessions', 'claude-door');
}

/** The folders of which a server makes one for what the script writes. */
export function doorFolders(env: HostVariables): readonly string[] {
  return privatePlaces(env).map((place) => path.join(place, 'claude-door'));
}

/** @throws Error if the settings name another program, or one of the two files cannot be written. */
export function openClaudeDoor(env: HostVariables): void {
  const { settings, script, entry, state } = unchanged(env);
  replaceFile(script, claudeDoorScript(doorFolders(env)), 0o755);
  if (state !== 'closed') return;
  const text = textOf(settings);
  const { env: variables, ...others } = settingsIn(text) ?? { env: {} };
  const comma = (members: object) => (Object.keys(members).length === 0 ? '' : ',');
  const parts = [`\n    ${entry}${comma(variables)}`, blockOf(entry) + comma(others)];
  const texts = [...text.matchAll(/(?<=\{)/g)].flatMap(({ index }) =>
    parts.map((part) => text.slice(0, index) + part + text.slice(index)),
  );
  replaceFile(settings, firstWith({ ...others, env: { ...variables, [PREFIX]: script } }, texts));
}

/**
 * Takes the script out of the settings. It stays where it is, since each Claude Code that runs goes on to use it.
 *
 * @throws Error if the settings name another program, or cannot be written.
 */
export function closeClaudeDoor(env: HostVariables): void {
  const { settings, entry, state } = unchanged(env);
  if (state === 'closed') return;
  const text = textOf(settings);
  const { env: variables, ...others } = settingsIn(text) ?? { env: {} };
  const rest = Object.fromEntries(Object.entries(variables).filter(([name]) => name !== PREFIX));
  const [block, line] = [blockOf(entry), `\n    ${entry}`];
  const texts = [`${block},`, block, `${line},`, `,${line}`, line].map((part) => text.replace(part, ''));
  const before = firstWith({ ...others, env: rest }, texts);
  if (before === MISSING) fs.rmSync(fs.realpathSync(settings));
  else replaceFile(settings, before);
}

/** @throws StartError if the settings name another program. */
function unchanged(env: HostVariables): ClaudeDoor {
  const door = claudeDoorState(env);
  if (door.state === 'changed')
    throw new StartError(`${door.settings} has another ${PREFIX}. Remove it first`);
  return door;
}

function blockOf(entry: string): string {
  return `\n  "env": {\n    ${entry}\n  }`;
}

type Settings = Readonly<Record<string, unknown>> & { readonly env: Readonly<Record<string, unknown>> };

/** The first text with these settings, or else a new one. So other text stays as it is where that is possible. */
function firstWith(settings: Settings, texts: readonly string[]): string {
  const found = texts.find((text) => isDeepStrictEqual(settingsIn(text), settings));
  return found ?? `${JSON.stringify(settings, undefined, 2)}\n`;
}

function settingsIn(text: string): Settings | undefined {
  try {
    const settings: unknown = JSON.parse(text);
    const { env = {}, ...others } = isRecord(settings) ? settings : { env: undefined };
    return isRecord(settings) && isRecord(env) ? { ...others, env } : undefined;
  } catch {
    return undefined;
  }
}

/** The text that stands for a missing file. */
const MISSING = '{\n\n}\n';

function textOf(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : MISSING;
}

/** Readers get the old content or the new one. A link to the file stays. */
function replaceFile(file: string, content: string, mode?: number): void {
  const found = fs.existsSync(file) ? fs.realpathSync(file) : undefined;
  const target = found ?? file;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const aside = `${target}.${process.pid}`;
  try {
    fs.writeFileSync(aside, content, { mode: 0o600 });
    fs.chmodSync(aside, mode ?? (found === undefined ? 0o600 : fs.statSync(found).mode));
    fs.renameSync(aside, target);
  } finally {
    fs.rmSync(aside, { force: true });
  }
}
