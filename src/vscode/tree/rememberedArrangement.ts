import type * as vscode from 'vscode';

import { ArrangementChoice } from '../../sessions/tree/index.js';

/** The storage of this workspace's grouping, and of the place of other folders' sessions. */
const GROUPING_KEY = 'execSessions.grouping';
const ELSEWHERE_KEY = 'execSessions.elsewhere';

/** The arrangement of the tree as it was chosen last in this workspace. */
export function rememberedArrangement(memento: vscode.Memento): ArrangementChoice {
  return new ArrangementChoice(
    { grouping: memento.get(GROUPING_KEY), elsewhere: memento.get(ELSEWHERE_KEY) },
    ({ grouping, elsewhere }) => {
      void memento.update(GROUPING_KEY, grouping);
      void memento.update(ELSEWHERE_KEY, elsewhere);
    },
  );
}
