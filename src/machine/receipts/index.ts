export { openReceipts } from './openReceipts.js';
export { MOST_RECEIPTS, pruneReceipts } from './pruneReceipts.js';
export { readOwnReceipts, readReceipts } from './readReceipts.js';
export { receiptPlace, receiptPlaceIn, type ReceiptPlace } from './receiptPlace.js';
export { ReceiptBook } from './receiptBook.js';
export { ReceiptWriter } from './receiptWriter.js';
export { removeReceipts } from './removeReceipts.js';
