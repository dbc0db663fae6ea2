export * from './commandLine.js';
export * from './directory.js';
export * from './hostLaunch.js';
export * from './shellCommand.js';
export * from './variables.js';
