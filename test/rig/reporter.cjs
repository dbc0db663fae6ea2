'use strict';
// Mocha's usual output, and the lines of results.ts in the file that EXEC_SESSIONS_RESULT names.
// Plain JavaScript: mocha loads a reporter with require() and wants the class itself.
const fs = require('node:fs');
const { reporters } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.EXEC_SESSIONS_RESULT;
    if (!file) return;
    const record = (line) => fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
    const titleOf = (test) => test.fullTitle();
    runner.on('test', (test) => record({ event: 'start', title: titleOf(test) }));
    runner.on('pass', (test) => record({ event: 'passed', title: titleOf(test), ms: test.duration }));
    runner.on('pending', (test) => record({ event: 'pending', title: titleOf(test) }));
    runner.on('fail', (test, error) =>
      record({ event: 'failed', title: titleOf(test), error: error?.stack ?? String(error) }),
    );
    runner.on('end', () => record({ event: 'end', failures: runner.failures }));
  }
};
