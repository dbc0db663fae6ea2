export * from './abort.js';
export * from './aroundMatches.js';
export * from './busyPort.js';
export * from './textSearch.js';
export * from './callsById.js';
export * from './log/chunkRing.js';
export * from './clock.js';
export * from './conditionVariable.js';
export * from './process/connectionState.js';
export * from './deferred.js';
export * from './engines/handshakes.js';
export * from './engines/member.js';
export * from './engines/place.js';
export * from './engines/shellArgv.js';
export * from './envPolicy.js';
export * from './errors.js';
export * from './events.js';
export * from './process/backendCapabilities.js';
export * from './process/execBackend.js';
export * from './process/inputWait.js';
export * from './process/execEvents.js';
export {
  type ConnectFailure,
  describeFailure,
  ErrorCode,
  type ExecFailure,
  failureFromWire,
  isTooLong,
  type SandboxTrouble,
  type TerminalTrouble,
  wireFormOf,
} from './failures/index.js';
export * from './log/keptReader.js';
export * from './log/pastOutput.js';
export * from './process/lastWords.js';
export * from './localizer.js';
export type { LogStats } from './log/logRecord.js';
export * from './log/logSubscription.js';
export * from './secrets/maskSecrets.js';
export * from './metadata.js';
export * from './oneLine.js';
export * from './log/outputTimes.js';
export * from './process/processUsage.js';
export * from './process/processIdentity.js';
export * from './log/processLog.js';
export type { ModesReader } from './log/terminalHistory.js';
export * from './process/processMetadata.js';
export * from './process/processRegistry.js';
export * from './queue.js';
export * from './semaphore.js';
export * from './process/signalledBy.js';
export * from './process/terminalSize.js';
export type { ServerProgram } from './process/serverProgram.js';
export * from './process/sandbox.js';
export * from './process/sandboxText.js';
export * from './process/sessionNumbers.js';
export * from './process/taskStore.js';
export * from './sightings/agentPrograms.js';
export * from './sightings/broom.js';
export * from './sightings/commandText.js';
export * from './sightings/sighting.js';
export * from './strangers.js';
export * from './tcpTable.js';
export * from './process/processHandle.js';
export * from './process/argumentChecks.js';
export * from './timeSpan.js';
export * from './unknownValues.js';
export * from './process/untilExit.js';
export * from './windowsSystem.js';
export * from './launch/command.js';
export * from './launch/directory.js';
export * from './launch/folderEnvironment.js';
export * from './launch/inTheWay.js';
export * from './launch/launch.js';
export type { SandboxWish } from './launch/plannedSandbox.js';
export * from './launch/shellQuoting.js';
export * from './launch/variables.js';
export * from './launch/workingDirectory.js';
export * from './receipts/makeReceipt.js';
export * from './receipts/receipt.js';
export * from './receipts/receiptLine.js';
