import type { Terminal } from '@xterm/headless';

import type { HeadlessTerminal } from '../../../../src/terminal/headless.js';

interface Attributes {
  readonly fg: number;
  readonly bg: number;
  getFgColorMode(): number;
  getFgColor(): number;
  getBgColorMode(): number;
  getBgColor(): number;
  isUnderline(): number;
  isInverse(): number;
}

interface Cell extends Attributes {
  getChars(): string;
  getWidth(): number;
}

interface Line {
  readonly isWrapped: boolean;
  loadCell(column: number, cell: Cell): Cell;
}

interface Buffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: Attributes;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean>>;
  readonly lines: { readonly length: number; get(row: number): Line };
}

/** The parts of xterm.js that its API does not tell. */
interface Core {
  readonly buffers: { readonly normal: Buffer; readonly alt: Buffer; readonly active: Buffer };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly decPrivateModes: { readonly cursorStyle?: string; readonly cursorBlink?: boolean };
  };
  readonly coreMouseService: { readonly activeEncoding: string };
  readonly _charsetService: {
    readonly glevel: number;
    readonly _charsets: readonly (Readonly<Record<string, string>> | undefined)[];
  };
  readonly _inputHandler: { readonly _curAttrData: Attributes };
}

const UNDERLINE = 0x10000000;
/** The styles among the attributes, but for the underline. */
const STYLES = 0xec000000;

function coreOf(terminal: Terminal): Core {
  return (terminal as unknown as { readonly _core: Core })._core;
}

/** Everything that an emulator shows, and everything that later output depends on. */
export function stateOf({ terminal }: HeadlessTerminal): Readonly<Record<string, unknown>> {
  const { buffers, coreService, coreMouseService, _charsetService, _inputHandler } = coreOf(terminal);
  const { normal, active } = buffers;
  const { modes, cols } = terminal;
  const alternate = active !== normal;
  const saved = (buffer: Buffer) =>
    [
      Math.min(buffer.savedX, cols - 1),
      Math.max(buffer.savedY - buffer.ybase, 0),
      penText(buffer.savedCurAttrData),
    ].join();
  const tabs = (buffer: Buffer) =>
    Object.keys(buffer.tabs).filter((column) => Number(column) > 0 && Number(column) < cols - 1);
  return {
    'normal cells': cellsOf(terminal, normal),
    'continued rows': Array.from({ length: normal.lines.length }, (_, row) =>
      row > 0 && normal.lines.get(row).isWrapped ? row : '',
    ).join(''),
    'alternate cells': alternate ? cellsOf(terminal, active) : [],
    'alternate': alternate,
    'cursor': [active.x, active.y, active.ybase],
    'pen': penText(_inputHandler._curAttrData),
    'saved cursor': saved(active),
    'saved cursor under the alternate screen': alternate ? saved(normal) : '',
    'normal cursor': alternate ? [normal.x, normal.y] : '',
    'tab stops': tabs(active),
    'tab stops under the alternate screen': alternate ? tabs(normal) : '',
    'region': [active.scrollTop, active.scrollBottom],
    'normal region': [normal.scrollTop, normal.scrollBottom],
    'hidden cursor': coreService.isCursorHidden,
    'cursor style': [coreService.decPrivateModes.cursorStyle, coreService.decPrivateModes.cursorBlink],
    'mouse encoding': coreMouseService.activeEncoding,
    'charsets': [
      _charsetService.glevel,
      ...[0, 1, 2, 3].map((index) => Object.keys(_charsetService._charsets[index] ?? {}).length),
    ],
    'modes': { ...modes, synchronizedOutputMode: false, mouseTrackingMode: '', sendFocusMode: false },
  };
}

function cellsOf(terminal: Terminal, buffer: Buffer): readonly string[] {
  const cell = terminal.buffer.active.getNullCell() as unknown as Cell;
  return Array.from({ length: buffer.lines.length }, (_, row) => {
    const cells = [];
    for (let column = 0; column < terminal.cols; column++) {
      cells.push(cellText(buffer.lines.get(row).loadCell(column, cell)));
    }
    return cells.join('').replace(/(?:\|;)+$/, '');
  });
}

function cellText(cell: Cell): string {
  const chars = cell.getChars();
  if (chars === '' && cell.getWidth() === 0) {
    return '';
  }
  if (chars === '' && cell.isInverse() === 0) {
    return `|${colorText(cell.getBgColorMode(), cell.getBgColor())};`;
  }
  return `${chars || ' '}|${attributesText(cell, cell.isUnderline() !== 0)}${cell.getWidth() === 1 ? '' : 'w'};`;
}

/** A link, which no replay brings back, is told as an underline too. */
function penText(pen: Attributes): string {
  return attributesText(pen, (pen.fg & UNDERLINE) !== 0);
}

function attributesText(attributes: Attributes, underlined: boolean): string {
  const foreground = colorText(attributes.getFgColorMode(), attributes.getFgColor());
  const background = colorText(attributes.getBgColorMode(), attributes.getBgColor());
  const flags = [attributes.fg & STYLES, attributes.bg & STYLES, underlined ? 'u' : ''];
  return `${foreground}/${background}/${flags.join()}`.replace('//0,0,', '');
}

function colorText(mode: number, color: number): string {
  return color === -1 ? '' : `${mode >>> 24}.${color}`;
}

/** The names of what differs. */
export function differences(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(one).filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}
