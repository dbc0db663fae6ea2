'use strict';
// Mocha's usual output, and the lines of results.ts in the file that EXEC_SESSIONS_RESULT names.
// Plain JavaScript: mocha loads a reporter with require() and wants the class itself.
const fs = require('node:fs');
const { reporters } = require('mocha');

/** How long the program may go on after its tests, in milliseconds; then something holds it that no test has ended. */
const LINGER_MS = 30_000;

module.exports = class extends reporters.Spec {
  #record = () => {};

  constructor(runner, options) {
    super(runner, options);
    this.#endWhatLingers(runner, Number(options.reporterOptions?.lingerMs ?? LINGER_MS));
    const file = process.env.EXEC_SESSIONS_RESULT;
    if (!file) return;
    const record = (this.#record = (line) => fs.appendFileSync(file, `${JSON.stringify(line)}\n`));
    const titleOf = (test) => test.fullTitle();
    runner.on('test', (test) => record({ event: 'start', title: titleOf(test) }));
    runner.on('pass', (test) => record({ event: 'passed', title: titleOf(test), ms: test.duration }));
    runner.on('pending', (test) => record({ event: 'pending', title: titleOf(test) }));
    runner.on('hook end', (hook) => record({ event: 'hook', title: titleOf(hook), ms: hook.duration }));
    runner.on('fail', (test, error) =>
      record({ event: 'failed', title: titleOf(test), error: error?.stack ?? String(error) }),
    );
    runner.on('end', () => record({ event: 'end', failures: runner.failures }));
  }

  // A failed test often leaves something behind, a loop that waits or a server, and the other stages would wait for it.
  #endWhatLingers(runner, lingerMs) {
    const end = () => {
      const by = [...new Set(process.getActiveResourcesInfo())].join(', ');
      fs.writeSync(2, `The tests are over, but something holds their program: ${by}\n`);
      this.#record({ event: 'held', by });
      // Mocha sets the exit code in a listener of its own, before this one.
      process.once('exit', () => (process.exitCode = 1));
      process.exit();
    };
    runner.on('end', () => setTimeout(end, lingerMs).unref());
  }
};
