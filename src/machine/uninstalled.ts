import { removeCopies } from './copyServer.js';
import { findServers } from './findServers.js';
import { copiesFolder } from './userFolders.js';

/**
 * A session server goes on without the extension. On macOS it starts a program from its copy for each terminal, so all
 * copies stay for good if a server listens now. A server that starts this very moment may fail, and can be started again.
 */
async function removeUnusedCopies(): Promise<void> {
  if ((await findServers(process.env)).length === 0) {
    await removeCopies(copiesFolder(process.env));
  }
}

// Runs once VS Code has removed the extension. A reason for a failure would have no reader.
removeUnusedCopies().catch(() => undefined);
