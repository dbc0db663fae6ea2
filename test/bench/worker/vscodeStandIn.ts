import { english } from '../../../src/core/index.js';

/**
 * The parts of `vscode` that the tree uses, for workers, which have no VS Code around them. The bundle of the worker
 * has this file in its place.
 */

export const l10n = english;

export const env = { language: 'en' } as const;

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;

  constructor(label: string, collapsibleState: number = TreeItemCollapsibleState.None) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class MarkdownString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export { Emitter as EventEmitter } from '../../../src/core/index.js';
