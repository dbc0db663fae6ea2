import { uriFromPath, WireCode, WireError } from '../../protocol/index.js';
import { guessPlatform } from './hostInfo.js';

/** How the server at the other end wants paths: as file: URIs since June 2026, and before that as they are. */
export class PathDialect {
  readonly #platform: string | undefined;
  #uris: boolean | undefined;

  /**
   * @param platform The server's machine, if it said so.
   * @param uris Whether it is known to take URIs; undefined if that is to be found out.
   */
  constructor(platform: string | undefined, uris: boolean | undefined) {
    this.#platform = platform;
    this.#uris = uris;
  }

  /** Whether the server is of the time since when it knows a write that is sent again. */
  get isModern(): boolean {
    return this.#uris === true;
  }

  toWire(path: string, uri: boolean): string {
    if (!uri) {
      return path;
    }
    try {
      return uriFromPath(path, this.#platform ?? guessPlatform(path));
    } catch {
      // Not absolute: the server says what is wrong with it.
      return path;
    }
  }

  /**
   * Calls with a path in the form that the server takes. Where that is not known, the plain path comes first: a server
   * that wants a URI refuses it before it does anything, while an old one would take a URI for a strange path.
   */
  async send<T>(path: string, call: (path: string) => Promise<T>): Promise<T> {
    if (this.#uris !== undefined) {
      return call(this.toWire(path, this.#uris));
    }
    try {
      const result = await call(this.toWire(path, false));
      this.#uris = false;
      return result;
    } catch (error) {
      if (!isUriWanted(error)) {
        throw error;
      }
      this.#uris = true;
      return call(this.toWire(path, true));
    }
  }
}

function isUriWanted(error: unknown): boolean {
  return (
    error instanceof WireError &&
    error.code === WireCode.invalidParams &&
    /invalid URI|path URI scheme/.test(error.message)
  );
}
