export * from './commandLine.js';
export * from './control.js';
export * from './session.js';
export * from './sessionList.js';
