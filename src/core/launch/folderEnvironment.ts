import { english, type Localizer } from '../localizer.js';
import { LINE_LENGTH, oneLine } from '../oneLine.js';
import type { VariableChanges } from './variables.js';

/** The environment of a folder in words, and the names of the variables that it has set. Their values are not kept. */
export interface FolderNote {
  /** For example `.venv` and `node 22 (.nvmrc)`. */
  readonly with: readonly string[];
  /** The parts that could not be had; `login` stands for the PATH of the login shell. */
  readonly without: readonly string[];
  readonly names: readonly string[];
}

/** The variables that a command gets for its folder. All others win over them. */
export interface FolderEnvironment extends Omit<FolderNote, 'names'> {
  readonly changes: VariableChanges;
}

/** For example "with .venv, node 22 (.nvmrc)". */
export function folderTexts(note: FolderNote | undefined, l10n: Localizer = english): readonly string[] {
  const { with: has = [], without = [] } = note ?? {};
  const lacks = without.map((part) => (part === 'login' ? l10n.t('the PATH of the login shell') : part));
  const listed = (parts: readonly string[]): string => oneLine(parts.join(', '), LINE_LENGTH);
  return [
    ...(has.length === 0 ? [] : [l10n.t('with {0}', listed(has))]),
    ...(lacks.length === 0 ? [] : [l10n.t('without {0}', listed(lacks))]),
  ];
}
