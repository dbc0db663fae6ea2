/** The reason why a call failed, in words for the model: what happened, to which session, and what to do next. */
export class ToolError extends Error {
  /** The session concerned, if there is one. */
  readonly session: number | undefined;

  constructor(message: string, session?: number) {
    super(message);
    this.name = 'ToolError';
    this.session = session;
  }
}

/** A call was ended from outside before it had an answer. */
export class CallCancelled extends Error {
  constructor() {
    super('The call was cancelled.');
    this.name = 'CallCancelled';
  }
}
