export { type FilesOfOne, OutputFolder } from './outputFolder.js';
export { readSegments } from './readSegments.js';
export { amountOf, type FileRecord, lastSeqOf, sizeOfRecord, sumOf, writeRecord } from './recordFormat.js';
export { Segment, type SegmentBatch } from './segment.js';
