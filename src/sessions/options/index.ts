export {
  type ArgumentCheck,
  checkFunction,
  checkInput,
  checkOptions,
  checkSize,
  checkText,
  checkToken,
} from './apiArguments.js';
export {
  describeValue,
  parseArgv,
  parseCommandInput,
  type Parsed,
  parseVariableInput,
  variableInput,
} from './commandInput.js';
export {
  type CloseAction,
  type NotifyAbout,
  type SettingDefinition,
  settingDefinitions,
  settingId,
  type SettingName,
  settingProblem,
  SETTINGS_SECTION,
  type SettingValue,
} from './settings.js';
export { SHUTDOWN_GRACE_MS } from './shutdownGrace.js';
export { type CheckedStart, parseStartOptions } from './startOptions.js';
