import { writeFileSync } from 'node:fs';

import { backendKinds } from '../contract/backends.js';
import { assertGolden } from '../support/golden.js';
import { builds } from './jobs/builds.js';
import { mistakes } from './jobs/mistakes.js';
import { type Cost, Play } from './jobs/play.js';
import { programs, secrets } from './jobs/programs.js';
import { servers } from './jobs/servers.js';
import { toolTests } from './toolsSetup.js';

const jobs = [...builds, ...servers, ...programs, ...secrets, ...mistakes].sort((one, other) =>
  one.name < other.name ? -1 : 1,
);

const [local] = backendKinds;

describe('The transcript of a model in a job', () => {
  const costs = new Map<string, Cost>();

  after(() => {
    // Writes the rows of a table of test/interop/results/agents.md (npm run table:agents).
    if (process.env['JOBS_TABLE'] !== undefined) {
      const rows = jobs.flatMap(({ name, title }) => {
        const cost = costs.get(name);
        return cost === undefined
          ? []
          : [`| ${title} | ${cost.calls} | ${cost.tokens.toLocaleString('en-US')} |\n`];
      });
      writeFileSync(process.env['JOBS_TABLE'], rows.join(''));
    }
  });

  if (local === undefined) {
    throw new Error('There is no backend.');
  }
  const test = toolTests(local);
  for (const job of jobs) {
    test(`${job.name}: ${job.title}`, async (fixture) => {
      const play = new Play(fixture);
      await job.run(play);
      costs.set(job.name, play.cost);
      assertGolden(import.meta.dirname, `jobs/${job.name}`, play.transcript);
    });
  }
});
