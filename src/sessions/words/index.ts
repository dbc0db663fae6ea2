export { type Attention, attention, attentionText, endSentence, hasFailed } from './attention.js';
export { byteText } from './bytes.js';
export { formatDuration, longDuration } from './duration.js';
export { EnvironmentError } from './environmentError.js';
export { errorText, sessionErrorText } from './errorText.js';
export { endLine, evictionNote, gapLine, missingSentence, type ReadStats } from './evictionNote.js';
export { failureText, lossText } from './lossText.js';
export { receiptEndText, receiptLabel, receiptRow, receiptText } from './receiptRow.js';
export {
  canBeGivenBack,
  canBeKept,
  canBeLeftAlone,
  canKeepOutput,
  canBeTaken,
  canCloseInput,
  iconOf,
  type RowIcon,
  type RowPlace,
  sessionLabel,
  type SessionRow,
  sessionRow,
  takesInput,
  terminalContext,
} from './rows.js';
export { type ServerRisk, serverRisks, serverRiskText } from './serverRisks.js';
export { endOf, isFailure, lookOf, lostText, signalOf, statusText } from './status.js';
export { stopText } from './stopText.js';
export { leftoverText, survivorName, survivorNames } from './survivorNames.js';
export { busyPortIn } from './busyPort.js';
export {
  codeBlock,
  dialogText,
  escapeMarkdown,
  nameInMessage,
  pathParts,
  quoted,
  terminalName,
  visible,
  withoutIcons,
} from './text.js';
export { type UsageFound, type UsageRow, usageRows } from './usageRows.js';
export { originText, tooltipMarkdown } from './tooltip.js';
export { wantedPorts } from './wantedPorts.js';
