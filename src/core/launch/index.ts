export * from './command.js';
export * from './directory.js';
export * from './launch.js';
export * from './shellQuoting.js';
export * from './variables.js';
export * from './workingDirectory.js';
