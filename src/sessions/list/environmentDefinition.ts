/** An environment as the user describes it: where its exec-server is, and how to reach it. */
export type EnvironmentDefinition = {
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  /** The directory, on that machine, of sessions that name none. */
  readonly cwd?: string;
} & (
  | { readonly kind: 'websocket'; readonly url: string }
  /** A program on this machine whose standard input and output lead to the server. */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
);

/** The id of the environment that always exists: this machine. */
export const LOCAL_ID = 'local';
