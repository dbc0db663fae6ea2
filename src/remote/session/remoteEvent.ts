import type { ExitStatus, OutputStream } from '../../core/index.js';

export interface RemoteOutput {
  readonly type: 'output';
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
  /** Whether the bytes are overwritten once this has been told. */
  readonly lent?: boolean;
}

/** Something that a server tells of a process, with its number. */
export type RemoteEvent =
  | RemoteOutput
  | { readonly type: 'exited'; readonly seq: number; readonly status: ExitStatus }
  | { readonly type: 'closed'; readonly seq: number }
  /** Output with the numbers from `seq` through `throughSeq` that will never come. */
  | {
      readonly type: 'gap';
      readonly seq: number;
      readonly throughSeq: number;
      /** How much it was. */
      readonly bytes?: number;
      /** How much all output was from the start of the process through `throughSeq`. */
      readonly totalBytes?: number;
    };

/** The last number that the event has: what comes behind it is one more. */
export function endOf(event: RemoteEvent): number {
  return event.type === 'gap' ? event.throughSeq : event.seq;
}

/** The event as it can be kept for a while: its output may be lent, or a small part of something large. */
export function toKeep(event: RemoteEvent): RemoteEvent {
  return event.type === 'output' ? { ...event, bytes: new Uint8Array(event.bytes), lent: false } : event;
}

/** Whether it has a number behind which others can be counted exactly. */
export function isCountable(event: RemoteEvent): boolean {
  return endOf(event) < Number.MAX_SAFE_INTEGER;
}

export type RemoteGap = Extract<RemoteEvent, { type: 'gap' }>;
