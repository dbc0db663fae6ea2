import { uriFromPath, WireCode, WireError } from '../../protocol/index.js';
import { guessPlatform } from './hostInfo.js';

/** The form of paths that a server takes: file: URIs since June 2026, and plain paths before that. */
export class PathDialect {
  readonly #platform: string | undefined;
  #uris: boolean | undefined;

  /**
   * @param platform The server's platform, if it has given it.
   * @param uris Whether the server is known to take URIs; undefined if that has to be found out.
   */
  constructor(platform: string | undefined, uris: boolean | undefined) {
    this.#platform = platform;
    this.#uris = uris;
  }

  /** Whether the server is of June 2026 or later. Such servers recognize a write that is sent again. */
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
      // The path is not absolute; the server reports that.
      return path;
    }
  }

  /**
   * Makes a call with a path in the form that the server takes. If that is not known, the plain path is tried first: a
   * server that wants a URI refuses it before it does anything, while an old one would use a URI as a strange path.
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
