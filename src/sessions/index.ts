export * from './commandLine.js';
export * from './session.js';
export * from './sessionList.js';
