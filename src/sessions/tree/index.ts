export { SessionRows } from './sessionRows.js';
export { treeChange } from './treeChange.js';
export { TreeIndex } from './treeIndex.js';
export {
  EMPTY_TREE,
  groupKey,
  type GroupKind,
  groupOf,
  type TreeEnvironment,
  type TreeGroup,
  treeModel,
  type TreeModel,
} from './treeModel.js';
