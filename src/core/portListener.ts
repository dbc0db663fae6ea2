/** Somebody who listens at a TCP port, as seen from one process of a backend. */
export interface PortListener {
  /** The local addresses: `127.0.0.1`, `::`, in the form that is usual for them. */
  readonly addresses: readonly string[];
  /** Absent where it cannot be seen who holds the socket: another user, or a process that hides what it has open. */
  readonly pid?: number | undefined;
  /** Its program, with the script or module of an interpreter. Other arguments may be secret. */
  readonly command?: string | undefined;
  /** The user who has made the socket, by name if it has one: `root`, `uid 1234`. */
  readonly user?: string | undefined;
  /** Whether it belongs to the process: to its POSIX session, to what that has started, or it carries its mark. */
  readonly own: boolean;
  /** The process of the backend to which it belongs, if that is known. */
  readonly processId?: string | undefined;
  /** Of others: whether it has begun to listen after the start of the process; absent where that is not known. */
  readonly later?: boolean | undefined;
}
