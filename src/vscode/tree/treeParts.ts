import type { Environments } from '../../sessions/environments/index.js';
import type { MemberWatch } from '../../sessions/tree/index.js';
import type { Batches } from '../environments/batches.js';
import type { SightingRows } from './sightingRows.js';

/** The environments that the tree shows. */
export type Places = Pick<Environments, 'all' | 'engines' | 'onDidChange'>;

/** Sources of rows besides the list. */
export interface TreeParts {
  readonly members?: MemberWatch;
  readonly batches?: Batches;
  readonly sightings?: SightingRows;
}
