import { mkdir } from 'node:fs/promises';

import { ExecError, type Sandbox } from '../../core/index.js';
import type { ChildRequest } from '../child/child.js';
import {
  bubblewrapOptions,
  findSandboxPrograms,
  type SandboxPrograms,
  wrapperCommand,
} from './bubblewrap.js';
import { seccompFilter } from './filter.js';
import { layoutOf, type OwnFolders } from './layout.js';
import { MountPoints } from './mountPoints.js';
import { probe } from './probe.js';
import { SandboxedStart, UnlinkedFiles } from './sandboxedStart.js';

const ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';
const SUPPORTED = process.platform === 'linux' && process.arch === ARCH;

/** The folders of ours that a sandbox guards. */
export interface SandboxFolders extends OwnFolders {
  /** A private folder for notes, and for files that are removed at once. It is covered as well. */
  readonly own: string;
}

/** Starts programs in sandboxes of bubblewrap. Linux only. */
export class Sandboxes {
  readonly #folder: string;
  readonly #own: OwnFolders;
  readonly #mountPoints: MountPoints;
  readonly #filters: UnlinkedFiles;
  readonly #filterFiles = new Map<boolean, string>();
  readonly #ends = new Set<Promise<void>>();
  #usable: Promise<SandboxPrograms> | undefined;

  constructor({ own, covered, ...others }: SandboxFolders) {
    this.#folder = own;
    this.#own = { ...others, covered: [own, ...covered] };
    this.#mountPoints = new MountPoints(own);
    this.#filters = new UnlinkedFiles(this.notes);
  }

  /** The notes of this process about its sandboxes: see {@link MountPoints.own}. */
  get notes(): string {
    return this.#mountPoints.own;
  }

  /** Whether this machine has the programs. Its kernel may still refuse, as the first start finds out. */
  get available(): boolean {
    return SUPPORTED && findSandboxPrograms() !== undefined;
  }

  /**
   * @param start A program that exists, in a directory that exists.
   * @throws ExecError if there can be no such sandbox here.
   */
  async wrap(start: ChildRequest, sandbox: Sandbox): Promise<SandboxedStart> {
    this.#usable ??= this.#probed().catch((error: unknown) => {
      this.#probeAgain();
      throw error;
    });
    return this.#wrap(await this.#usable, start, sandbox);
  }

  /** Bubblewrap may be installed, allowed or removed while this program runs. */
  readonly #probeAgain = (): void => {
    this.#usable = undefined;
  };

  /** Resolves once everything that was made for ended sandboxes is removed. */
  async settled(): Promise<void> {
    await Promise.all(this.#ends);
  }

  async #probed(): Promise<SandboxPrograms> {
    if (!SUPPORTED) {
      throw new ExecError({ kind: 'noSandbox', reason: 'otherSystem' });
    }
    const programs = findSandboxPrograms();
    if (programs === undefined) {
      throw new ExecError({ kind: 'noSandbox', reason: 'missing' });
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Sandboxes that end together would otherwise make and remove their parents.
    const made = this.#own.readOnly.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 }));
    await Promise.allSettled(made);
    await probe(this.#folder, programs.bash, (start, sandbox) => this.#wrap(programs, start, sandbox));
    return programs;
  }

  async #wrap(
    programs: SandboxPrograms,
    { argv, cwd, env }: ChildRequest,
    sandbox: Sandbox,
  ): Promise<SandboxedStart> {
    const { network } = sandbox;
    const { mounts, mountPoints } = await layoutOf(sandbox, this.#own);
    const release = await this.#mountPoints.make(mountPoints);
    const files = new UnlinkedFiles(this.notes);
    try {
      const options = files.add(bubblewrapOptions(mounts, { cwd, env, network }));
      const status = files.add();
      const command = wrapperCommand(
        programs,
        { options, filter: this.#filterFor(network), status },
        argv,
        env['PWD'],
      );
      return new SandboxedStart({
        request: { argv: command.argv, cwd: '/', env: {} },
        stages: command.stages,
        status,
        files,
        onFailure: this.#probeAgain,
        onEnd: () => this.#noted(release()),
      });
    } catch (error) {
      files.close();
      await release();
      throw error;
    }
  }

  #noted(end: Promise<void>): Promise<void> {
    const noted = end.catch(() => undefined).finally(() => this.#ends.delete(noted));
    this.#ends.add(noted);
    return noted;
  }

  #filterFor(network: boolean): string {
    const file = this.#filterFiles.get(network) ?? this.#filters.add(seccompFilter(ARCH, network));
    this.#filterFiles.set(network, file);
    return file;
  }
}
