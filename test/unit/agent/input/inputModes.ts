import type { InputMode } from '../../../../src/core/index.js';

export const SECRET: InputMode = { canonical: true, echo: false };
export const LINES: InputMode = { canonical: true, echo: true };
export const SHELL: InputMode = { canonical: false, echo: false };
/** A program that reads key by key, and wants the carriage return of Enter: readline, a menu. */
export const KEYS: InputMode = { canonical: false, echo: false, enterIsLineFeed: false };
