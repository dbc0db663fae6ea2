import type { Play } from './play.js';

/** A piece of work that models do with the tools. */
export interface Job {
  /** The name of its golden file. */
  readonly name: string;
  /** The title in the table. */
  readonly title: string;
  readonly run: (play: Play) => Promise<void>;
}
