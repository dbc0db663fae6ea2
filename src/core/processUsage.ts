/** A TCP port at which a process listens. */
export interface UsedPort {
  readonly port: number;
  /** The local addresses: `127.0.0.1`, `::`, in the form that is usual for them. */
  readonly addresses: readonly string[];
}

/** What a process and everything that belongs to it use now. */
export interface ProcessUsage {
  /** The number of processes that were found: those of its POSIX session, and those with its mark. */
  readonly processes: number;
  /**
   * The processor time that they have taken so far, in seconds. On Linux it has that of ended children too, so it falls
   * only where one ends that nobody here has waited for.
   */
  readonly cpuSeconds: number;
  /** The memory that they have in RAM, in bytes. What several of them share counts for each. */
  readonly memoryBytes: number;
  /** The ports at which they listen, the lowest first; absent where that could not be found out. */
  readonly ports?: readonly UsedPort[] | undefined;
}
