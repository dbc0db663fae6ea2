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

/** A server makes one of these folders for what the script writes. */
export function doorFolders(env: HostVariables): readonly string[] {
  return privatePlaces(env).map((place) => path.join(place, 'claude-door'));
}

/**
 * Writes the script, and names it in the settings, unless they name another program.
 *
 * @throws Error if the settings cannot be understood, or a file cannot be written.
 */
export function openClaudeDoor(env: HostVariables): void {
  const door = claudeDoorState(env);
  replaceFile(door.script, claudeDoorScript(doorFolders(env)), 0o755);
  if (door.state === 'closed') rewrite(door, true);
}

/** Takes our script out of the settings. It stays where it is, since each Claude Code that runs goes on to use it. */
export function closeClaudeDoor(env: HostVariables): void {
  const door = claudeDoorState(env);
  if (door.state === 'open' || door.state === 'broken') rewrite(door, false);
}

/** All other text stays as it is, unless Claude Code or a person has moved the entry. */
function rewrite({ settings, entry, script }: ClaudeDoor, isOpen: boolean): void {
  const text = textOf(settings);
  const { env, ...others } = settingsIn(text) ?? { env: {} };
  const rest = Object.entries(env).filter(([name]) => name !== PREFIX);
  const wanted = { ...others, env: Object.fromEntries(isOpen ? [...rest, [PREFIX, script]] : rest) };
  const line = `\n    ${entry}`;
  const block = `\n  "env": {${line}\n  }`;
  const comma = (members: object) => (Object.keys(members).length === 0 ? '' : ',');
  const texts = isOpen
    ? [...text.matchAll(/(?<=\{)/g)].flatMap(({ index }) =>
        [line + comma(rest), block + comma(others)].map(
          (part) => text.slice(0, index) + part + text.slice(index),
        ),
      )
    : [`${block},`, block, `${line},`, `,${line}`, line].map((part) => text.replace(part, ''));
  const changed = texts.find((each) => isDeepStrictEqual(settingsIn(each), wanted));
  if (changed === MISSING) fs.rmSync(fs.realpathSync(settings));
  else replaceFile(settings, changed ?? `${JSON.stringify(wanted, undefined, 2)}\n`);
}

type Settings = Readonly<Record<string, unknown>> & { readonly env: Readonly<Record<string, unknown>> };

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
const MISSING = '{\n}';

function textOf(file: string): string {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? MISSING : stats.isFile() ? fs.readFileSync(file, 'utf8') : '';
}

/** Readers get the old content or the new one. A link to the file stays, and so does its mode. */
function replaceFile(file: string, content: string, mode?: number): void {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  const target = found === undefined ? file : fs.realpathSync(file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const aside = `${target}.${process.pid}`;
  fs.writeFileSync(aside, content, { mode: 0o600 });
  fs.chmodSync(aside, mode ?? found?.mode ?? 0o600);
  fs.renameSync(aside, target);
}
