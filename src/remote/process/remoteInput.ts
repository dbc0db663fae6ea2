import { ExecError, type WriteStatus } from '../../core/index.js';
import { WireClosedError } from '../../protocol/index.js';
import { INPUT_BYTES, INPUT_PIECE_BYTES, INPUT_PIECES } from '../limits.js';

interface InputWire {
  /** Sends one piece. Rejects with a {@link WireClosedError} if the connection ends before there is an answer. */
  send(bytes: Uint8Array, writeId: string): Promise<WriteStatus>;
  /** Closes the input. Rejects as {@link send} does. */
  close(): Promise<void>;
  isConnected(): boolean;
}

interface Piece {
  /** Undefined for the close of the input, which is the last piece. */
  readonly bytes: Uint8Array | undefined;
  readonly writeId: string;
  readonly write: Write;
  underWay: boolean;
}

/**
 * One call of {@link RemoteInput.write}, which may consist of several pieces. They are sent one after the other: if the
 * first is refused, the last would be an end without its beginning.
 */
interface Write {
  piecesLeft: number;
  /** Whether one of its pieces is under way. */
  underWay: boolean;
  status: WriteStatus;
  resolve(status: WriteStatus): void;
  reject(error: unknown): void;
}

/**
 * The input of one process, in order. When the connection ends, pieces without an answer are sent again on the next
 * one, with the same write id. Later input waits for them, up to a bound.
 */
export class RemoteInput {
  readonly #processId: string;
  readonly #wire: InputWire;
  readonly #idPrefix: string;
  readonly #pieces = new Set<Piece>();
  #bytes = 0;
  #underWay = 0;
  #nextWriteId = 1;
  #failure: Error | undefined;
  #closed = false;

  /**
   * @param idPrefix The beginning of the write ids. For a server, a piece with a known id is a repetition, so another
   *   client of the same session needs other ids.
   */
  constructor(processId: string, wire: InputWire, idPrefix = '') {
    this.#processId = processId;
    this.#wire = wire;
    this.#idPrefix = idPrefix;
  }

  /** Whether this side has closed the input. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** @throws ExecError if too much input waits already, or once the process is lost. */
  write(bytes: Uint8Array): Promise<WriteStatus> {
    if (this.#failure !== undefined) {
      return Promise.reject(this.#failure);
    }
    if (this.#bytes > 0 && this.#bytes + bytes.byteLength > INPUT_BYTES) {
      return Promise.reject(
        new ExecError({ kind: 'inputFull', processId: this.#processId, limitBytes: INPUT_BYTES }),
      );
    }
    if (this.#closed) {
      return Promise.resolve('stdinClosed');
    }
    const pieces: Uint8Array[] = [];
    for (let at = 0; at === 0 || at < bytes.byteLength; at += INPUT_PIECE_BYTES) {
      pieces.push(bytes.subarray(at, at + INPUT_PIECE_BYTES));
    }
    return this.#queue(pieces);
  }

  /** Closes the input after all earlier writes; nothing can be written afterwards. */
  async close(): Promise<void> {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    if (!this.#closed) {
      this.#closed = true;
      await this.#queue([undefined]);
    }
  }

  /** Called when there is another connection. */
  resume(): void {
    this.#pump();
  }

  /** Called when the process is lost: rejects all waiting writes, and all later ones. */
  fail(error: Error): void {
    this.#failure = error;
    for (const piece of this.#pieces) {
      this.#remove(piece);
      piece.write.reject(error);
    }
  }

  #queue(pieces: readonly (Uint8Array | undefined)[]): Promise<WriteStatus> {
    return new Promise((resolve, reject) => {
      const write: Write = {
        piecesLeft: pieces.length,
        underWay: false,
        status: 'accepted',
        resolve,
        reject,
      };
      for (const bytes of pieces) {
        this.#pieces.add({
          bytes,
          writeId: `${this.#idPrefix}${this.#nextWriteId++}`,
          write,
          underWay: false,
        });
        this.#bytes += bytes?.byteLength ?? 0;
      }
      this.#pump();
    });
  }

  #pump(): void {
    for (const piece of this.#pieces) {
      if (piece.underWay) {
        continue;
      }
      if (piece.write.underWay || this.#underWay >= INPUT_PIECES || !this.#wire.isConnected()) {
        break;
      }
      this.#send(piece);
    }
  }

  #send(piece: Piece): void {
    piece.underWay = true;
    piece.write.underWay = true;
    this.#underWay += 1;
    const { bytes, writeId } = piece;
    const answer =
      bytes === undefined
        ? this.#wire.close().then(() => 'accepted' as const)
        : this.#wire.send(bytes, writeId);
    answer.then(
      (status) => this.#answered(piece, status),
      (error: unknown) => this.#refused(piece, error),
    );
  }

  #answered(piece: Piece, status: WriteStatus): void {
    this.#underWay -= 1;
    this.#remove(piece);
    const { write } = piece;
    write.underWay = false;
    write.piecesLeft -= 1;
    if (write.status === 'accepted') {
      write.status = status;
    }
    if (write.piecesLeft === 0) {
      write.resolve(write.status);
    }
    this.#pump();
  }

  #refused(piece: Piece, error: unknown): void {
    this.#underWay -= 1;
    piece.underWay = false;
    piece.write.underWay = false;
    if (error instanceof WireClosedError) {
      // The server recognizes a repeated piece by its write id.
      return;
    }
    for (const other of this.#pieces) {
      if (other.write === piece.write) {
        this.#remove(other);
      }
    }
    piece.write.reject(error);
    this.#pump();
  }

  #remove(piece: Piece): void {
    if (this.#pieces.delete(piece)) {
      this.#bytes -= piece.bytes?.byteLength ?? 0;
    }
  }
}
