export { type Attention, attention, attentionText, endSentence, hasFailed } from './attention.js';
export { byteText, formatDuration, longDuration, processCount } from './quantities.js';
export { EnvironmentError, errorText, failureText, lossText, sessionErrorText } from './errorText.js';
export { endLine, evictionNote, gapLine, missingSentence, type ReadStats } from './evictionNote.js';
export { receiptEndText, receiptLabel, receiptRow, receiptSnapshot, receiptText } from './receiptRow.js';
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
export { serverRisks, serverRiskText } from './serverRisks.js';
export { endOf, isFailure, lookOf, lostText, signalOf, statusText } from './status.js';
export { holderRow, type SightingFacts, sightingMarkdown, sightingRow } from './sightingRow.js';
export { stopText } from './stopText.js';
export { leftoverText, survivorName, survivorNames } from './survivorNames.js';
export {
  codeBlock,
  dialogText,
  escapeMarkdown,
  nameInMessage,
  terminalName,
  visible,
  withoutIcons,
} from './text.js';
export { type UsageRow, usageRows } from './usageRows.js';
export { originText, tooltipMarkdown } from './tooltip.js';
