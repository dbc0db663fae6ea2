/** A TCP port at which a process listens. */
export interface UsedPort {
  readonly port: number;
  /** The local addresses: `127.0.0.1`, `::`, in the form that is usual for them. */
  readonly addresses: readonly string[];
}

/** The resources that a process and everything that belongs to it use now. */
export interface ProcessUsage {
  /** The number of processes found: those of its POSIX session, and those with its mark. */
  readonly processes: number;
  /**
   * The processor time that they have taken so far, in seconds. On Linux it includes ended children. It falls only when
   * a process ends that no process here has waited for.
   */
  readonly cpuSeconds: number;
  /** The memory that they have in RAM, in bytes. Shared memory counts for each of them. */
  readonly memoryBytes: number;
  /** The ports at which they listen, lowest first; absent if that could not be found out. */
  readonly ports?: readonly UsedPort[] | undefined;
}

/** A process that listens at a TCP port, as seen from one process of a backend. */
export interface PortListener {
  /** The local addresses in their usual form: `127.0.0.1`, `::`. */
  readonly addresses: readonly string[];
  /** Absent if the holder of the socket cannot be seen: another user's process, or one that hides its open files. */
  readonly pid?: number | undefined;
  /** Its program, with the script or module of an interpreter. Other arguments may be secret. */
  readonly command?: string | undefined;
  /** The user who made the socket, by name if there is one: `root`, `uid 1234`. */
  readonly user?: string | undefined;
  /** Whether it belongs to the process: to its POSIX session, or to its descendants, or it carries its mark. */
  readonly own: boolean;
  /** The process of the backend to which it belongs, if known. */
  readonly processId?: string | undefined;
  /** For other processes: whether it began to listen after the start of the process; absent if unknown. */
  readonly later?: boolean | undefined;
}
