export { makeReceipt, type ReceiptFacts } from './makeReceipt.js';
export {
  type EndedReceipt,
  hasEnded,
  type Receipt,
  type ReceiptCause,
  type ReceiptEnd,
  type ReceiptLeftover,
  type ReceiptOrigin,
  type ReceiptRecord,
} from './receipt.js';
export { readReceiptLines, receiptLine } from './receiptLine.js';
