export {
  forget,
  type HistoryEntry,
  remember,
  restoreHistory,
  type RunMode,
  runModes,
  save,
  unsave,
} from './commandHistory.js';
export type { Controller, PersonWanted } from './control.js';
export {
  type EngineDefinition,
  type EnvironmentDefinition,
  type EnvironmentSnapshot,
  type EnvironmentState,
  type ExecEnvironment,
  isOpen,
  type MemberDefinition,
  LOCAL_ID,
  secondsLeft,
} from './environment.js';
export type { ListLimits } from './listLimits.js';
export { Session } from './session.js';
export type { SessionSnapshot, SessionState } from './sessionSnapshot.js';
export { type EndedBy } from './sessionRecord.js';
export { SessionEvents } from './sessionEvents.js';
export { watchQuestions } from './questionWatch.js';
export { SurvivorWatch } from './survivorWatch.js';
export { type Removal, SessionList } from './sessionList.js';
export { type Belonging, isWithin, WindowFolders, WindowMarks } from './thisWindow.js';
