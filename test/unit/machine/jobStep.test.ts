import assert from 'node:assert/strict';

import { inOwnStep, jobFolder } from '../../../src/machine/jobStep.js';
import { socketPlaces } from '../../../src/machine/privateFolder.js';

const env = {
  ...{ SLURM_JOB_ID: '7', SLURM_STEP_ID: '3', SLURMD_NODENAME: 'n2', SLURM_CPUS_ON_NODE: '8' },
  XDG_RUNTIME_DIR: '/tmp',
};

describe('The server of a job of Slurm', () => {
  it('has a folder of the job and the node, whatever runtime folder is named', () => {
    assert.equal(jobFolder(env), '/tmp/exec-sessions-job-7-n2');
    assert.deepEqual(socketPlaces(env).folders, ['/tmp/exec-sessions-job-7-n2']);
  });

  it('is started as a step of its own, with all processors of the job', () => {
    const argv = inOwnStep(['node', 'server.js'], env)?.join(' ') ?? '';
    assert.match(argv, /^srun --overlap --jobid 7 -w n2 -N1 -n1 -c 8 .*-- node server\.js$/);
  });

  for (const [name, value] of [
    ['SLURM_JOB_ID', '../../home'],
    ['SLURM_STEP_ID', ''],
    ['SLURM_STEP_ID', 'batch'],
    ['SLURMD_NODENAME', '-x'],
    ['SLURMD_NODENAME', 'a/../b'],
  ] as const) {
    it(`has no folder and no step with ${name} as ${JSON.stringify(value)}`, () => {
      assert.equal(jobFolder({ ...env, [name]: value }), undefined);
      assert.equal(inOwnStep(['node'], { ...env, [name]: value }), undefined);
    });
  }

  it('has one processor where the number of the job is not known', () => {
    assert.match(inOwnStep(['node'], { ...env, SLURM_CPUS_ON_NODE: '4 -x' })?.join(' ') ?? '', / -c 1 /);
  });
});
