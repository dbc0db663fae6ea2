export * from './errors.js';
export * from './outputWindow.js';
export * from './truncateMiddle.js';
export * from './unifiedExecManager.js';
export * from './unifiedExecTools.js';
