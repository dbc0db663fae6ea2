import type { EndedReceipt } from '../../core/index.js';
import type { Session } from '../../sessions/list/index.js';

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
  readonly id: string;
  /** Whether a click expands or collapses it. */
  readonly holds: boolean;
}

type PlaceNode = EnvironmentNode | EngineNode | NoteNode | GroupNode;
export type TreeNode = PlaceNode | SessionNode | UsageNode | SightingNode | EarlierNode | ReceiptNode;

export function isReceiptNode(value: unknown): value is ReceiptNode {
  return isNode(value, 'receipt');
}

export function isSessionNode(value: unknown): value is SessionNode {
  return isNode(value, 'session');
}

export function isEnvironmentNode(value: unknown): value is EnvironmentNode {
  return isNode(value, 'environment');
}

export function isEngineNode(value: unknown): value is EngineNode {
  return isNode(value, 'engine');
}

export function isGroupNode(value: unknown): value is GroupNode {
  return isNode(value, 'group');
}

export function isSightingNode(value: unknown): value is SightingNode {
  return isNode(value, 'sighting');
}

export function isUsageNode(value: unknown): value is UsageNode {
  return isNode(value, 'usage');
}

function isNode(value: unknown, kind: TreeNode['kind']): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
