import type {
  ExecFailure,
  ExitStatus,
  FolderNote,
  LaunchOrigin,
  LogStats,
  LossReason,
  Sandbox,
  Survivor,
} from '../../core/index.js';
import type { Controller, PersonWanted } from './control.js';
import type { EndedBy } from './sessionRecord.js';

/**
 * `exited`: the process has exited, output may still follow. `closed`: the output has ended too. `lost`: the process
 * can never be reached again.
 */
export type SessionState = 'starting' | 'running' | 'exited' | 'closed' | 'lost';

/** An operation that a session's backend may not support. */
export type Lack = 'resize' | 'closeStdin' | 'stop';

/** Everything about a session that is shown, as plain data. Times are milliseconds since 1970. */
export interface SessionSnapshot {
  readonly id: string;
  readonly environment: { readonly id: string; readonly label: string };
  /** Present if this window found the session and did not start it. */
  readonly adopted?: true;
  /** The folder of the window that has started it. */
  readonly folder?: string;
  /** Present while the connection to its machine is being recovered, which is given up at the time `until`. */
  readonly recovering?: { readonly reason: LossReason; readonly until: number };
  /** The operations that its backend does not support; present if there are any. */
  readonly lacks?: readonly Lack[];
  /** The name that the user has given it, if any. */
  readonly title?: string;
  readonly commandLine: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly sandbox?: Sandbox;
  /** Present if it was started with the environment of its folder. */
  readonly folderEnvironment?: FolderNote;
  /** Present once its standard input, a pipe, has been closed. */
  readonly inputClosed?: true;
  readonly origin: LaunchOrigin;
  /** The one who may type into it. Present for agents' sessions only. */
  readonly controller?: Controller;
  /** The reason why an agent's session waits for a person; present while it does. */
  readonly waitsForPerson?: PersonWanted;
  /** Present while it asks something: the program's words on one line, and when they were seen first. */
  readonly asks?: { readonly question: string; readonly since: number };
  /** The session that this one repeats. */
  readonly previousId?: string;
  /** Present if the same command was started in several environments: the id that those sessions have in common. */
  readonly batch?: string;
  readonly state: SessionState;
  /** Whether a stop is under way. */
  readonly stopping: boolean;
  readonly pid?: number;
  readonly startedAt: number;
  readonly exitedAt?: number;
  readonly closedAt?: number;
  readonly exit?: ExitStatus;
  /** Present if it ended after a person or an agent stopped it, in this window or elsewhere. */
  readonly stopped?: true;
  /** Present if it was ended by a signal that an agent is known to have sent. */
  readonly signalledByAgent?: true;
  /** The one who has ended it, if that was remembered. */
  readonly endedBy?: EndedBy;
  /** Present if it outlives the windows: its backend keeps it until somebody removes it. */
  readonly owned?: true;
  /** Whether its output is kept on disk as well; present if its backend can do that. */
  readonly outputOnDisk?: 'kept' | 'none';
  /** The marks that people of any window have put on it, see `WindowMarks`; absent without marks. */
  readonly marks?: readonly string[];
  /** Present if an agent's session goes on without a window for as long as people's sessions do. */
  readonly keep?: true;
  /** The reason for the loss. */
  readonly failure?: ExecFailure;
  /** The TCP ports that it listened at when they were looked at last; absent without any. */
  readonly ports?: readonly number[];
  /** Its leftover processes at the last look; absent without any. */
  readonly survivors?: readonly Survivor[];
  readonly output: LogStats;
}
