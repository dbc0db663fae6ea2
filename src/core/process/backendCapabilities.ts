/** The abilities of a backend beyond the base protocol. They are asked for, never assumed. */
export interface BackendCapabilities {
  /**
   * Whether processes can run on terminals. The base protocol has them, but the machine may lack something they need.
   */
  readonly terminals: boolean;
  readonly resize: boolean;
  readonly initialSize: boolean;
  readonly closeStdin: boolean;
  readonly list: boolean;
  readonly attach: boolean;
  /**
   * Whether `stop` climbs the whole ladder and knows which processes are left; without it there are only interrupt and
   * kill.
   */
  readonly stop: boolean;
  /**
   * Whether `survivors` finds processes that have made POSIX sessions of their own, by a variable that they inherit. It
   * misses processes that have cleared or overwritten their variables, or that belong to another user.
   */
  readonly survivors: boolean;
  /** Whether `inputMode` can find out the mode. */
  readonly inputMode: boolean;
  /** Whether `inputWait` can find out whether a program waits for input. */
  readonly inputWait: boolean;
  /** How `isListening` finds out: by a list of the system, or by trying a connection; false if it cannot. */
  readonly portProbe: 'list' | 'connection' | false;
  /** Whether `listeners` can name the processes that listen at a port; no connection is tried then. */
  readonly listeners: boolean;
  /** Whether `usage` can measure what processes use. */
  readonly usage: boolean;
  /**
   * Whether the pipes of children are anonymous pipes: these can be opened by name (`/dev/stderr`), and
   * `stderrToStdout` has an effect. Elsewhere the pipes are what Node gives children; on POSIX these are pairs of
   * sockets.
   */
  readonly anonymousPipes: boolean;
  /** Whether `owned` has an effect at a start. */
  readonly ownership: boolean;
  /** Whether `describe` works. Without it, only this backend knows the metadata. */
  readonly metadata: boolean;
  /** Whether `startedWith` answers for processes that another client has started. */
  readonly startedWith: boolean;
  /**
   * Whether `onDidChange` reports the processes of other clients as well. The metadata and the size in `info()` are
   * then current, even if another client changes them.
   */
  readonly changes: boolean;
  /** Whether other clients are told of `view`. */
  readonly views: boolean;
  /**
   * Whether output is kept on disk as well, if `keepOutput` in the metadata of an owned process is true. `readKept`
   * reads it.
   */
  readonly keptOutput: boolean;
  /** Whether `seqBefore` can tell when output came. */
  readonly outputTimes: boolean;
  /** The signals that `signal` takes. */
  readonly signals: readonly string[];
  /** Whether processes can be started in a sandbox. */
  readonly sandbox: boolean;
}
