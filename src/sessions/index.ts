export * from '../core/launch/commandLine.js';
export * from './list/control.js';
export * from './list/session.js';
export * from './list/sessionList.js';
