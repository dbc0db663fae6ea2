import { stat } from 'node:fs/promises';
import path from 'node:path';

import {
  childVariables,
  type FolderEnvironment,
  type HostVariables,
  sessionVariables,
} from '../../core/index.js';
import { findProgram } from '../child/program.js';
import { loginShell } from '../child/userShell.js';
import type { LocalBackend } from '../localBackend.js';
import { FILES, loginPath, nvmFolder, partsOf } from './parts.js';
import { foldersOf } from './readAnswers.js';
import { toolRunner } from './toolRunner.js';

/** How long a tool may take, and how long a command waits for its folder, in milliseconds. */
const LIMIT_MS = 5_000;
const MOST_KEPT = 100;
const MOST_LEVELS = 40;
const HUGE_BYTES = 1_000_000;
const MISSING = '-';

interface Kept {
  /** How the files of the folder looked. */
  readonly look: string;
  readonly made: Promise<Made>;
}

interface Made extends FolderEnvironment {
  /** The files that tools have named, and how they looked. */
  readonly named: readonly string[];
  readonly look: string;
}

interface Options {
  readonly start: LocalBackend['startHelper'];
  /** The variables of this process. */
  readonly hostEnv: HostVariables;
  /** The folder at the end of every PATH. */
  readonly programs: string;
  readonly limitMs?: number;
}

/**
 * The environments of folders on this machine: the PATH of the login shell, with what direnv, mise, `.venv` and `.nvmrc`
 * add. The login shell is asked once, the tools again when a file has changed.
 */
export class FolderEnvironments {
  readonly #options: Options;
  readonly #own: readonly string[];
  readonly #kept = new Map<string, Kept>();
  #login: Promise<readonly string[]> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#own = foldersOf(options.hostEnv['PATH'] ?? '/usr/bin:/bin');
  }

  /** @param root The folder of the workspace that `cwd` is in. Files outside of it do not count. */
  async of(cwd: string, root: string | undefined): Promise<FolderEnvironment> {
    const { hostEnv, limitMs = LIMIT_MS } = this.#options;
    const files = levelsOf(cwd, root).flatMap((level) => FILES.map((name) => path.join(level, name)));
    const looks = await looksOf([...files, path.join(nvmFolder(hostEnv), 'versions/node')]);
    const there = files.filter((_, index) => looks[index] !== MISSING);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<FolderEnvironment>((resolve) => {
      const names = FILES.filter((name) => there.some((file) => file.endsWith(`/${name}`)));
      const nothing = { changes: { PATH: this.#path([]) }, with: [], without: ['login', ...names] };
      timer = setTimeout(() => resolve(nothing), limitMs);
    });
    const current = this.#current(cwd, there, looks.join());
    return Promise.race([current, late]).finally(() => clearTimeout(timer));
  }

  /** A program by its whole path, found without the environment of any folder. */
  async program(name: string): Promise<string> {
    return (await findProgram({ program: name, cwd: '/', env: { PATH: this.#own.join(':') } })) ?? name;
  }

  async #current(cwd: string, there: readonly string[], look: string): Promise<Made> {
    const kept = this.#kept.get(cwd);
    if (kept?.look === look) {
      const made = await kept.made;
      if ((await looksOf(made.named)).join() === made.look) {
        return made;
      }
    }
    if (this.#kept.size >= MOST_KEPT) {
      this.#kept.clear();
    }
    const made = this.#make(there);
    this.#kept.set(cwd, { look, made });
    return made;
  }

  async #make(there: readonly string[]): Promise<Made> {
    const { start, limitMs = LIMIT_MS } = this.#options;
    const run = toolRunner(start, limitMs);
    const variables = this.#toolVariables();
    // A window that was started from a shell has its PATH, perhaps that of `nix develop`.
    this.#login ??=
      'VSCODE_CLI' in this.#options.hostEnv
        ? Promise.resolve(this.#own)
        : loginPath(run, variables['SHELL'] ?? loginShell(), variables);
    const login = await this.#login;
    const parts = await partsOf({ run, env: { ...variables, PATH: this.#path(login) }, there });
    const had = parts.filter(({ changes }) => changes !== undefined);
    const lacking = parts.filter(({ changes }) => changes === undefined);
    const named = parts.flatMap((part) => part.watched ?? []);
    return {
      changes: {
        ...Object.fromEntries(had.toReversed().flatMap(({ changes = {} }) => Object.entries(changes))),
        PATH: this.#path([...had.flatMap(({ folders }) => folders), ...login]),
      },
      with: had.map(({ label }) => label),
      without: [...(login.length === 0 ? ['login'] : []), ...lacking.map(({ label }) => label)],
      named,
      look: (await looksOf(named)).join(),
    };
  }

  /** A PATH that begins with some folders. No program that was found before gets lost. */
  #path(folders: readonly string[]): string {
    return [...new Set([...folders, ...this.#own, this.#options.programs])].join(':');
  }

  /** The variables that a session gets, as if no folder had been entered. */
  #toolVariables(): HostVariables {
    const all = Object.entries(this.#options.hostEnv).filter(([name]) => !name.startsWith('DIRENV_'));
    const host = Object.fromEntries(all);
    const { env, envPolicy } = sessionVariables({
      hostEnv: host,
      windows: false,
      tty: false,
      forAgent: false,
    });
    return childVariables({ host, policy: envPolicy, overlay: env, windows: false });
  }
}

/** The folders from `cwd` up to `root`; none if it is not in there. A folder with a colon cannot be on a PATH. */
function levelsOf(cwd: string, root: string | undefined): readonly string[] {
  const levels = [cwd];
  for (let level = cwd; level !== root && levels.length < MOST_LEVELS; levels.push(level)) {
    level = path.dirname(level);
  }
  return levels.at(-1) === root && !cwd.includes(':') ? levels : [];
}

/** How files look: another text means that one has changed. Pipes, devices and huge files count as missing. */
function looksOf(files: readonly string[]): Promise<readonly string[]> {
  const looks = files.map(async (file) => {
    const found = await stat(file).catch(() => undefined);
    const counts = found?.isDirectory() === true || (found?.isFile() === true && found.size < HUGE_BYTES);
    return counts ? `${found.mtimeMs} ${found.size} ${found.ino}` : MISSING;
  });
  return Promise.all(looks);
}
