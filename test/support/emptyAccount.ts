import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { engineConnector, type EngineConnectorOptions } from '../../src/engines/index.js';
import { RemoteBackend } from '../../src/remote/index.js';
import { temporaryFolder } from '../rig/lifetime.js';
import { findOnPath } from '../rig/programs.js';
import { ownServer } from './execServer.js';
import { endSessionServersIn } from './sessionServers.js';

/** The programs that an installation uses there, needed ones first. */
export const NEEDED = ['uname', 'ls', 'head', 'tar', 'gzip', 'mkdir', 'rm'] as const;
const USED = [...NEEDED, 'sh', 'chmod', 'getconf', 'sha512sum'];

export const DIST = path.dirname(ownServer);
export const VERSION = '0.1.0';

/** An account of another machine in a folder of its own: an empty home, and a PATH with few programs. */
export class EmptyAccount {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'es-a-')));
  readonly home = path.join(this.folder, 'home');
  readonly programs = path.join(this.folder, 'bin');
  readonly run = path.join(this.folder, 'run');
  readonly copies = path.join(this.home, '.cache', 'exec-sessions');
  /** The work of the last connection. */
  readonly steps: string[] = [];
  readonly #backends: RemoteBackend[] = [];
  readonly #remove = temporaryFolder(this.folder);

  /** @param options.node Whether its PATH has a Node. */
  constructor({ node = true }: { readonly node?: boolean } = {}) {
    for (const folder of [this.home, this.programs, this.run]) {
      fs.mkdirSync(folder, { mode: 0o700 });
    }
    for (const name of USED) {
      fs.symlinkSync(findOnPath([name]) ?? `/bin/${name}`, path.join(this.programs, name));
    }
    if (node) {
      fs.symlinkSync(process.execPath, path.join(this.programs, 'node'));
    }
  }

  /** The command that runs a shell of this account with an argument. */
  argv(shell: readonly string[] = ['/bin/sh', '-c']): readonly string[] {
    const variables = [`HOME=${this.home}`, `PATH=${this.programs}`, `XDG_RUNTIME_DIR=${this.run}`];
    return ['/usr/bin/env', '-i', ...variables, ...shell];
  }

  /** Connects over a command; by default that of {@link argv}. */
  async connect(argv = this.argv(), options: Partial<EngineConnectorOptions> = {}): Promise<RemoteBackend> {
    this.steps.length = 0;
    const connector = engineConnector({
      reached: { kind: 'shell', argv },
      files: DIST,
      version: VERSION,
      mayInstallNode: () => Promise.resolve(false),
      onStep: (step) => this.steps.push(step),
      ...options,
    });
    const backend = await RemoteBackend.connect({ connector, clientName: 'install' });
    this.#backends.push(backend);
    return backend;
  }

  /** The content of the folder of the copies, in alphabetical order. */
  entries(): readonly string[] {
    return fs.existsSync(this.copies) ? fs.readdirSync(this.copies).sort() : [];
  }

  /** Everything below the home. */
  content(): readonly string[] {
    return (fs.readdirSync(this.home, { recursive: true }) as string[]).sort();
  }

  /** Ends the session servers there. Nothing connects again. */
  async endServers(): Promise<void> {
    for (const backend of this.#backends) {
      backend.disconnect();
    }
    await endSessionServersIn(this.run);
  }

  async remove(): Promise<void> {
    await this.endServers();
    await this.#remove();
  }
}
