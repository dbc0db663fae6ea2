import type { Session } from '../../sessions/index.js';
import type { GroupKind } from '../../sessions/treeModel.js';

/** What the tree hands to commands. */
export interface GroupNode {
  readonly kind: 'group';
  readonly group: GroupKind;
}

export interface SessionNode {
  readonly kind: 'session';
  readonly session: Session;
}

export type TreeNode = GroupNode | SessionNode;

export function isSessionNode(value: unknown): value is SessionNode {
  return typeof value === 'object' && value !== null && (value as Partial<TreeNode>).kind === 'session';
}
