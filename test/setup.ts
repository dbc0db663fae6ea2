import fc from 'fast-check';

/**
 * What is generated is the same in each run, so that a run says something of a change, and not of luck. Another seed, such
 * as `EXEC_SESSIONS_SEED=$RANDOM npm run test:unit`, looks for what no run has met yet.
 */
fc.configureGlobal({ seed: Number(process.env['EXEC_SESSIONS_SEED'] ?? 17) });
