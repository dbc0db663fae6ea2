export { causeText, holderText } from './causeText.js';
export { makeReceipt, type ReceiptFacts } from './makeReceipt.js';
export {
  type EndedReceipt,
  hasEnded,
  type Receipt,
  type ReceiptEnd,
  type ReceiptLeader,
  type ReceiptLeftover,
  type ReceiptRecord,
} from './receipt.js';
export { readReceiptLines, receiptLine } from './receiptLine.js';
