export { causeText, holderText } from './causeText.js';
export { makeReceipt, type ReceiptFacts } from './makeReceipt.js';
export {
  type EndedReceipt,
  hasEnded,
  type Receipt,
  type ReceiptCause,
  type ReceiptEnd,
  type ReceiptLeader,
  type ReceiptLeftover,
  type ReceiptOrigin,
  type ReceiptRecord,
} from './receipt.js';
export { causeIn, readReceiptLines, receiptLine } from './receiptLine.js';
export { UNWRITTEN_KEY, type UnwrittenReceipt, unwrittenReceipt } from './unwrittenReceipt.js';
