export {
  type Arrangement,
  ArrangementChoice,
  type Elsewhere,
  type Grouping,
  GROUPINGS,
  isApart,
  type KeptArrangement,
  USUAL_ARRANGEMENT,
} from './arrangement.js';
export type { TreeGroup } from './treeGroup.js';
export { PlaceBook } from './placeBook.js';
export { PACE_MS, PacedChanges } from './pacedChanges.js';
export { SessionRows } from './sessionRows.js';
export { RowMoves } from './rowMoves.js';
export { treeChange } from './treeChange.js';
export { isFiltering, NO_FILTER, toggled, type TreeFilter, withText } from './treeFilter.js';
export { TreeIndex } from './treeIndex.js';
export { hasUsage, type UsageReading, UsageWatch } from './usageWatch.js';
export { EMPTY_TREE, type TreeEnvironment, treeModel, type TreeModel } from './treeModel.js';
