export { compactReceipts } from './compactReceipts.js';
export { NoPlaceForReceipts } from './noPlaceForReceipts.js';
export { openReceipts } from './openReceipts.js';
export { endsKnown, MOST_RECEIPTS, readOwnReceipts, readReceipts, type Receipts } from './readReceipts.js';
export { makeReceiptPlace, receiptPlace, receiptPlaceIn, type ReceiptPlace } from './receiptPlace.js';
export { ReceiptBook } from './receiptBook.js';
export { ReceiptWriter } from './receiptWriter.js';
export { removeReceipts } from './removeReceipts.js';
export { settleLost } from './settleLost.js';
