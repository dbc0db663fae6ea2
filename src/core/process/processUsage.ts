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
