import fs from 'node:fs';

import { ensureArm64 } from './arm64.js';
import { endAll } from './lifetime.js';
import { ensureProgram } from './npmPrograms.js';
import { messageOf, say } from './paths.js';
import { ensurePodman } from './podman.js';
import { ensureChromium, ensureTestPrograms } from './programs.js';
import { ensureSlurm } from './slurm.js';
import { ensureTools } from './tools.js';
import { versions } from './versions.js';
import { ensureWine } from './wine.js';

/**
 * Installs what the tests use beside node_modules, each thing unless it is there. It is done in one place, before the
 * stages that use it, since they run side by side.
 *   node --import tsx test/rig/installTools.ts NAME...
 */

/** Each throws an Error with one line that says why it cannot be had. */
const installers = {
  programs: () => {
    const missing = ensureTestPrograms();
    if (missing !== undefined) throw new Error(missing);
  },
  chromium: ensureChromium,
  newest: () => ensureTools(versions.newest),
  oldest: () => ensureTools(versions.oldest),
  codex: () => ensureProgram('codex'),
  claude: () => ensureProgram('claude'),
  gemini: () => ensureProgram('gemini'),
  agents: () => ensureProgram('agents'),
  conformance: () => ensureProgram('conformance'),
  conformanceOfTasks: () => ensureProgram('conformanceOfTasks'),
  nodes: () => ensureProgram('nodes'),
  wine: ensureWine,
  arm64: ensureArm64,
  slurm: ensureSlurm,
  podman: ensurePodman,
} as const;

export type ToolName = keyof typeof installers;

/** Why some of the tools cannot be had here. */
export type MissingTools = Partial<Readonly<Record<ToolName, string>>>;

/** The names of the tools; these are installed in this order. */
export const toolNames = Object.keys(installers) as ToolName[];

async function install(names: readonly string[]): Promise<MissingTools> {
  const missing: Partial<Record<ToolName, string>> = {};
  for (const name of toolNames.filter((known) => names.includes(known))) {
    try {
      await installers[name]();
    } catch (error) {
      missing[name] = messageOf(error);
      say(messageOf(error));
    }
  }
  return missing;
}

if (require.main === module) {
  void install(process.argv.slice(2)).then(async (missing) => {
    const file = process.env['EXEC_SESSIONS_RESULT'];
    if (file !== undefined) fs.writeFileSync(file, JSON.stringify(missing));
    await endAll();
  });
}
