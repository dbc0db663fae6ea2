export { ChildPipes, type ChildStreams, type OutputListener, type StreamPlan } from './childPipes.js';
export { type MakePipes, pipeMaker } from './makePipes.js';
export { PipePool } from './pipePool.js';
export { readyPipes } from './readyPipes.js';
