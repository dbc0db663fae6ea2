export { openReceipts } from './openReceipts.js';
export { readOwnReceipts, readReceipts } from './readReceipts.js';
export { receiptPlace, receiptPlaceIn } from './receiptPlace.js';
export { ReceiptBook } from './receiptBook.js';
export { ReceiptWriter } from './receiptWriter.js';
export { MOST_RECEIPTS, pruneReceipts, removeReceipts } from './removeReceipts.js';
