import type { ExitStatus, OutputStream, TerminalSize } from '../../core/index.js';

export interface RemoteOutput {
  readonly type: 'output';
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
  /** Whether the bytes are lent: they are overwritten once the listener has returned. */
  readonly lent?: boolean;
  /** The size of the terminal from this output on, where it has changed. */
  readonly size?: TerminalSize;
}

/** An event of a process on a server, with its sequence number. */
export type RemoteEvent =
  | RemoteOutput
  | { readonly type: 'exited'; readonly seq: number; readonly status: ExitStatus }
  | { readonly type: 'closed'; readonly seq: number }
  /** Output with the numbers from `seq` through `throughSeq`; it will never arrive. */
  | {
      readonly type: 'gap';
      readonly seq: number;
      readonly throughSeq: number;
      /** The bytes of the missing output. */
      readonly bytes?: number;
      /** The bytes of all output from the start of the process through `throughSeq`. */
      readonly totalBytes?: number;
      /** The modes of the terminal after it; see `GapEvent`. */
      readonly modes?: string;
    };

/** The last number of an event; the next event has one more. */
export function endOf(event: RemoteEvent): number {
  return event.type === 'gap' ? event.throughSeq : event.seq;
}

/** A copy of an event that can be kept: its output may be lent, or a small part of a large buffer. */
export function toKeep(event: RemoteEvent): RemoteEvent {
  return event.type === 'output' ? { ...event, bytes: new Uint8Array(event.bytes), lent: false } : event;
}

/** Whether an event's number is small enough that the following ones can be counted exactly. */
export function isCountable(event: RemoteEvent): boolean {
  return endOf(event) < Number.MAX_SAFE_INTEGER;
}

export type RemoteGap = Extract<RemoteEvent, { type: 'gap' }>;
