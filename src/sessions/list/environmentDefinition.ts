/** An environment as the user describes it: where its exec-server is, and how to reach it. */
export type EnvironmentDefinition = {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** The directory there in which sessions start that name none. */
  readonly cwd?: string;
} & (
  | { readonly kind: 'websocket'; readonly url: string }
  /** A program on this machine that speaks for the server on its standard input and output. */
  | { readonly kind: 'command'; readonly argv: readonly string[] }
);

/** The environment that is always there: this machine. */
export const LOCAL_ID = 'local';
