import * as vscode from 'vscode';

import type { Disposable, LogLimits } from '../core/index.js';
import { SETTINGS_SECTION } from '../sessions/options/index.js';
import type { SettingsReader } from './settingsReader.js';

const MIB = 1024 * 1024;

export function bytesOfMiB(mib: number): number {
  return Math.round(mib * MIB);
}

/** How much output each session keeps. Updated when the settings change, since the limits are used with every chunk. */
export class SettingsLogLimits implements LogLimits, Disposable {
  #bytes = 0;
  #chunks = 0;
  readonly #subscription: vscode.Disposable;

  constructor(settings: SettingsReader) {
    const read = () => {
      this.#bytes = bytesOfMiB(settings.get('retainedMiB'));
      this.#chunks = settings.get('retainedChunks');
    };
    read();
    this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SETTINGS_SECTION)) {
        read();
      }
    });
  }

  get bytes(): number {
    return this.#bytes;
  }

  get chunks(): number {
    return this.#chunks;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
