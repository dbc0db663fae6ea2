import { LOCAL_ID, type Session } from '../../sessions/list/index.js';
import type { PlayerMarks } from '../../sessions/viewer/index.js';
import { commandBegins, commandEnds, commandHadEnded } from '../../terminal/index.js';
import { shellNonce } from './shellIntegration.js';

/**
 * The marks that show a session of one command to VS Code as a command; a shell with VS Code's shell integration makes
 * its own. Directories of other machines are left out: VS Code would look for them here.
 */
export function sessionMarks(session: Session, nonce: string): PlayerMarks | undefined {
  const { request, commandLine, environment } = session;
  if (shellNonce(request) !== undefined) {
    return undefined;
  }
  const command = { commandLine, cwd: environment.id === LOCAL_ID ? request.cwd : undefined, nonce };
  return {
    begin: commandBegins(command),
    end: commandEnds,
    lateEnd: (exitCode) => commandHadEnded(command, exitCode),
  };
}
