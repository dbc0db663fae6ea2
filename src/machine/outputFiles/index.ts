export { type FilesOfOne, OutputFolder } from './outputFolder.js';
export { outputFileName, partsOfName } from './outputName.js';
export { readSegments } from './readSegments.js';
export { type FileRecord, lastSeqOf, outputBytesOf, sizeOfRecord, writeRecord } from './recordFormat.js';
export { Segment, type SegmentBatch } from './segment.js';
