import * as fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { type HostVariables, isRecord, messageOf } from '../core/index.js';
import { homeFolder } from '../local/index.js';
import { claudeDoorScript } from './claudeDoorScript.js';
import { privatePlaces } from './privateFolder.js';
import { StartError } from './startError.js';
import { absolute } from './userFolders.js';

/** The variable in Claude Code's settings that opens the door. */
const PREFIX = 'CLAUDE_CODE_SHELL_PREFIX';

/** The door by which the commands of Claude Code reach the session server. */
export interface ClaudeDoor {
  /** `changed`: the settings name another program. `broken`: they name our script, which is missing or changed. */
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
  const named = parsed(textOf(settings) ?? '{}', settings).env[PREFIX];
  const isWhole = textOf(script) === claudeDoorScript(doorFolders(env));
  const state = named === undefined ? 'closed' : named !== script ? 'changed' : isWhole ? 'open' : 'broken';
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
  if (state === 'closed') {
    const text = textOf(settings);
    replaceFile(settings, text === undefined ? newFile(entry) : opened(text, entry, script), 0o600);
  }
}

/**
 * Takes the script out of the settings. It stays where it is, since each Claude Code that runs goes on to use it.
 *
 * @throws Error if the settings name another program, or cannot be written.
 */
export function closeClaudeDoor(env: HostVariables): void {
  const { settings, entry, state } = unchanged(env);
  const text = textOf(settings);
  if (text === newFile(entry)) {
    fs.rmSync(fs.realpathSync(settings));
  } else if (text !== undefined && state !== 'closed') {
    replaceFile(settings, closed(text, entry), 0o600);
  }
}

function unchanged(env: HostVariables): ClaudeDoor {
  const door = claudeDoorState(env);
  if (door.state === 'changed') {
    throw new StartError(`${door.settings} has another ${PREFIX}. Remove it first`);
  }
  return door;
}

const blockOf = (entry: string) => `\n  "env": {\n    ${entry}\n  }`;
const newFile = (entry: string) => `{${blockOf(entry)}\n}\n`;

function opened(text: string, entry: string, script: string): string {
  const { env, ...others } = parsed(text);
  const comma = (members: object) => (Object.keys(members).length === 0 ? '' : ',');
  const after = (place: RegExp, added: string) => text.replace(place, (found) => found + added);
  return firstWith({ ...others, env: { ...env, [PREFIX]: script } }, [
    after(/"env"\s*:\s*\{/, `\n    ${entry}${comma(env)}`),
    after(/\{/, blockOf(entry) + comma(others)),
  ]);
}

function closed(text: string, entry: string): string {
  const { env, ...others } = parsed(text);
  const rest = Object.entries(env).filter(([name]) => name !== PREFIX);
  const [block, line] = [blockOf(entry), `\n    ${entry}`];
  const texts = [`${block},`, block, `${line},`, `,${line}`, line].map((added) => text.replace(added, ''));
  return firstWith({ ...others, env: Object.fromEntries(rest) }, texts);
}

/** The first text with these settings, or else a new one. So other text stays as it is where that is possible. */
function firstWith(settings: Settings, texts: readonly string[]): string {
  const isRight = (text: string) => {
    try {
      return isDeepStrictEqual(parsed(text), settings);
    } catch {
      return false;
    }
  };
  return texts.find(isRight) ?? `${JSON.stringify(settings, undefined, 2)}\n`;
}

type Settings = Readonly<Record<string, unknown>> & { readonly env: Readonly<Record<string, unknown>> };

/** @throws StartError for a text that has no settings. */
function parsed(text: string, file = ''): Settings {
  try {
    const settings: unknown = JSON.parse(text);
    const { env = {}, ...others } = isRecord(settings) ? settings : { env: undefined };
    if (isRecord(settings) && isRecord(env)) return { ...others, env };
  } catch (error) {
    throw new StartError(`${file} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  throw new StartError(`${file} has no settings of the usual form`);
}

function textOf(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

/** Readers get the old content or the new one. A link to the file stays, and so does its mode. */
function replaceFile(file: string, content: string, mode: number): void {
  const exists = fs.existsSync(file);
  const target = exists ? fs.realpathSync(file) : file;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const aside = `${target}.${process.pid}`;
  try {
    fs.writeFileSync(aside, content);
    fs.chmodSync(aside, exists ? fs.statSync(file).mode : mode);
    fs.renameSync(aside, target);
  } finally {
    fs.rmSync(aside, { force: true });
  }
}
