import { assertRejects } from '../support/assertRejects.js';
import type { Deviation } from './deviations.js';

const metadataTests = [
  'changes key by key, and null removes a key',
  'stays unchanged if the condition of a change does not hold',
  'has a limit, and a change beyond it changes nothing',
];

/** Deviations in the server's memory. */
export const codexOwnershipDeviations: readonly Deviation[] = metadataTests.map((test) => ({
  test: `Metadata on the * backend > ${test}`,
  reason: 'the server remembers nothing with a process',
  instead: async ({ start }) => {
    const process = await start({ argv: ['cat'], pipeStdin: true, metadata: { a: 1 } });
    await assertRejects(process.describe({ a: 2 }), -32600, 'the exec-server does not support metadata');
  },
}));
