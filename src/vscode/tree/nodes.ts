import type { EndedReceipt } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';
import type { SightingRow } from './sightingTree.js';

/** The row of an environment. The tree passes its rows to commands as arguments. */
export interface EnvironmentNode {
  readonly kind: 'environment';
  readonly id: string;
}

/** The row of an engine, with its members below it. */
export interface EngineNode {
  readonly kind: 'engine';
  readonly id: string;
}

/** A row that only tells something about the row above it. */
export interface NoteNode {
  readonly kind: 'note';
  readonly id: string;
  readonly parent: EngineNode | GroupNode;
}

export interface GroupNode {
  readonly kind: 'group';
  readonly key: string;
  /** The id of the environment that it is in, if it is in one. */
  readonly environment: string | undefined;
}

export interface SessionNode {
  readonly kind: 'session';
  readonly session: Session;
}

/** A row below a session that says what it uses. */
export interface UsageNode {
  readonly kind: 'usage';
  readonly session: Session;
  readonly key: string;
}

/** The group of earlier sessions, which are no longer in a list. */
export interface EarlierNode {
  readonly kind: 'earlier';
}

export interface ReceiptNode {
  readonly kind: 'receipt';
  readonly receipt: EndedReceipt;
}

/** A row of the group of other processes, or the group itself. */
export interface SightingNode {
  readonly kind: 'sighting';
  /** As it was seen last. */
  row: SightingRow;
}

type PlaceNode = EnvironmentNode | EngineNode | NoteNode | GroupNode;
export type TreeNode = PlaceNode | SessionNode | UsageNode | SightingNode | EarlierNode | ReceiptNode;

export const isReceiptNode = guardOf('receipt');
export const isSessionNode = guardOf('session');
export const isEnvironmentNode = guardOf('environment');
export const isEngineNode = guardOf('engine');
export const isGroupNode = guardOf('group');
export const isSightingNode = guardOf('sighting');
export const isUsageNode = guardOf('usage');

function guardOf<Kind extends TreeNode['kind']>(kind: Kind) {
  return (value: unknown): value is Extract<TreeNode, { readonly kind: Kind }> =>
    typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
