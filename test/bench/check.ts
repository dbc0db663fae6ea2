import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { withoutCodex } from '../rig/codex.js';
import { build } from '../rig/commands.js';
import { endAll } from '../rig/lifetime.js';
import { messageOf, root, say } from '../rig/paths.js';
import type { ResultLine } from '../rig/results.js';
import { bounds, type Bound } from './bounds.js';
import { judgeBound, type Judgement } from './judge.js';
import { selectMeasurements } from './measurements/index.js';
import { claimTitle, goalText } from './report/format.js';
import { describeMachine } from './report/record.js';
import { machineText } from './report/table.js';
import { failureText, runMeasurement, type MeasurementResult } from './runner.js';

/**
 * `npm run bench:check -- [--no-build] [--only NAME]`: measures everything that has a bound, or only the named
 * measurements, and fails if a bound is broken or was not measured. A measurement that breaks a bound runs once more, and both runs are judged together. The report always says
 * so.
 */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { 'no-build': { type: 'boolean' }, 'only': { type: 'string', multiple: true } },
  });
  const report = reporter(process.env['EXEC_SESSIONS_RESULT']);
  const counts = { passed: 0, failed: 0 };
  const repeated: string[] = [];
  if (values['no-build'] !== true) {
    await build();
  }
  const dist = path.join(root, 'dist');
  say(machineText(describeMachine()));
  const asked = bounds.filter(({ measurement }) => values.only?.includes(measurement) ?? true);
  const names = values.only ?? [...new Set(asked.map(({ measurement }) => measurement))];
  sayIfCodexIsMissing();
  for (const measurement of selectMeasurements(names)) {
    const own = asked.filter((bound) => bound.measurement === measurement.name);
    own.forEach((bound) => report({ event: 'start', title: titleOf(bound) }));
    say(`== ${measurement.name}`);
    const contenders = new Set(own.flatMap(({ of, to = of }) => [of, to]));
    const measure = (): Promise<MeasurementResult> =>
      runMeasurement({ ...measurement, claims: own }, { scale: 'check', dist, contenders });
    const first = await measure();
    let runs = [first];
    if (own.some((bound) => judgeBound(bound, runs).kind !== 'kept')) {
      say(`  repeated, because of: ${own.map((bound) => judgeBound(bound, runs).text).join('; ')}`);
      repeated.push(measurement.name);
      runs = [first, await measure()];
    }
    for (const bound of own) {
      const judgement = judgeBound(bound, runs);
      tell(bound, judgement, report);
      counts[judgement.kind === 'kept' ? 'passed' : 'failed'] += 1;
    }
    say(`  (${runs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(0)} s)`);
    runs.flatMap(({ failures }) => failures).forEach((failure) => say(`  ${failureText(failure)}`));
  }
  sayIfCodexIsMissing();
  if (repeated.length > 0) {
    say(`RAN TWICE, because a bound was broken the first time: ${repeated.join(', ')}.`);
  }
  report({ event: 'end', failures: counts.failed });
  say(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

/** Without codex every bound beside it fails, since it is not measured. */
function sayIfCodexIsMissing(): void {
  const reason = process.env[withoutCodex];
  if (reason !== undefined) say(`MISSING: codex, so that every bound beside it fails: ${reason}`);
}

function titleOf(bound: Bound): string {
  return `${bound.measurement}: ${claimTitle(bound)} ${goalText(bound)}`;
}

function tell(bound: Bound, { kind, text }: Judgement, report: (line: ResultLine) => void): void {
  const title = titleOf(bound);
  if (kind === 'kept') {
    say(`  kept    ${title}: ${text}`);
    report({ event: 'passed', title });
  } else {
    say(`  BROKEN  ${title}: ${text}. ${bound.reason}.`);
    report({ event: 'failed', title, error: `${text}. ${bound.reason}.` });
  }
}

/** Writes lines for `judge` of the rig, if a stage has asked for them. */
function reporter(file: string | undefined): (line: ResultLine) => void {
  return (line) => {
    if (file !== undefined) fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
}

main(process.argv.slice(2))
  .catch((error: unknown) => {
    say(messageOf(error));
    say('0 passed, 1 failed');
    return 1;
  })
  .then(async (code) => {
    await endAll();
    process.exitCode = code;
  })
  .catch(() => undefined);
