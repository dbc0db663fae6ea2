import { removeCopies } from './copyServer.js';
import { findServers } from './findServers.js';
import { copiesFolder } from './userFolders.js';

/** A session server goes on without the extension, and may still start programs from its copy. */
async function removeUnusedCopies(): Promise<void> {
  if ((await findServers(process.env)).length === 0) {
    await removeCopies(copiesFolder(process.env));
  }
}

// Runs once VS Code has removed the extension. A reason for a failure would have no reader.
removeUnusedCopies().catch(() => undefined);
