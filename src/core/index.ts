export * from './abort.js';
export * from './alarm.js';
export * from './backpressure.js';
export * from './callsById.js';
export * from './chunkRing.js';
export * from './clock.js';
export * from './conditionVariable.js';
export * from './connectionState.js';
export * from './deferred.js';
export * from './envPolicy.js';
export * from './errors.js';
export * from './events.js';
export * from './execBackend.js';
export * from './execEvents.js';
export {
  type ConnectFailure,
  describeFailure,
  ErrorCode,
  type ExecFailure,
  failureFromWire,
  isTooLong,
  type TerminalTrouble,
  wireFormOf,
} from './failures/index.js';
export * from './keptReader.js';
export * from './pastOutput.js';
export * from './lastWords.js';
export * from './localizer.js';
export type { LogStats } from './logRecord.js';
export * from './logSubscription.js';
export * from './maskSecrets.js';
export * from './metadata.js';
export * from './nulCharacter.js';
export * from './oneLine.js';
export * from './outputTimes.js';
export * from './port.js';
export * from './portListener.js';
export * from './processUsage.js';
export * from './processHandle.js';
export * from './processIdentity.js';
export * from './processLog.js';
export * from './processMetadata.js';
export * from './processRegistry.js';
export * from './queue.js';
export * from './semaphore.js';
export * from './signalledBy.js';
export type { ServerProgram } from './serverProgram.js';
export * from './sessionNumbers.js';
export * from './strangers.js';
export * from './tcpTable.js';
export * from './terminalKeys.js';
export * from './terminalSize.js';
export * from './timeSpan.js';
export * from './unknownValues.js';
export * from './untilExit.js';
export * from './windowsSystem.js';
export * from './launch/index.js';
export * from './receipts/index.js';
