import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import { settingDefinitions, settingProblem } from '../../../src/sessions/options/settings.js';

describe('settings', () => {
  it('are taken as they are if they can be', () => {
    assert.equal(settingDefinitions.retainedMiB.parse(0.5), 0.5);
    assert.equal(settingDefinitions.endedSessions.parse(0), 0);
    assert.equal(settingDefinitions.terminalOnClose.parse('ask'), 'ask');
    assert.deepEqual(settingDefinitions.env.parse({ A: 'b', C: null }), { A: 'b', C: null });
    assert.deepEqual(settingDefinitions.shellArguments.parse(['-l', '-c']), ['-l', '-c']);
  });

  it('are malformed if they cannot', () => {
    for (const value of ['1', NaN, Infinity, -1, 0, 1e9, null, {}, true]) {
      assert.equal(settingDefinitions.retainedMiB.parse(value), undefined);
    }
    assert.equal(settingDefinitions.interruptMs.parse(1.5), undefined);
    assert.equal(settingDefinitions.confirmKill.parse('true'), undefined);
    assert.equal(settingDefinitions.terminalOnClose.parse('keep'), undefined);
    assert.equal(settingDefinitions.shellPath.parse(7), undefined);
    assert.equal(settingDefinitions.shellArguments.parse('-c'), undefined);
    assert.equal(settingDefinitions.shellArguments.parse(['-c', 1]), undefined);
    assert.equal(settingDefinitions.env.parse(['A=b']), undefined);
    for (const definition of Object.values(settingDefinitions)) {
      assert.equal(definition.parse(null), undefined);
    }
  });

  it('are named with their value and the default when they are malformed', () => {
    assert.equal(
      settingProblem('terminalOnClose', 'keep', english),
      'The setting "execSessions.terminal.onClose" is "keep", but it must be one of "detach", "stop", "ask". ' +
        'The default, "detach", is used.',
    );
    assert.equal(
      settingProblem('retainedMiB', -1, english),
      'The setting "execSessions.output.retainedMegabytes" is -1, but it must be a number from 0.0625 to 256. ' +
        'The default, 1, is used.',
    );
  });

  it('leave out a variable that makes no sense, name it, and keep the others', () => {
    const value = { 'PORT': 3000, 'DEBUG': true, 'GOOD': 'x', 'NONE': null, 'A=B': 'y', '*': null };
    assert.deepEqual(settingDefinitions.env.parse(value), {
      PORT: '3000',
      DEBUG: 'true',
      GOOD: 'x',
      NONE: null,
    });
    assert.equal(
      settingProblem('env', value, english),
      'The setting "execSessions.env" has variables that are left out. ' +
        'The environment variable "A=B" must have a name without "=" and NUL. ' +
        'The environment variable "*" cannot be removed: "*" and "?" stand for other names there.',
    );
    assert.equal(settingProblem('env', { GOOD: 'x' }, english), undefined);
  });

  it('never show the values of environment variables', () => {
    for (const value of [{ PASSWORD: ['hunter2'] }, ['A=hunter2'], 'A=hunter2', { 'A=B': 'hunter2' }]) {
      const text = settingProblem('env', value, english) ?? '';
      assert.match(text, /execSessions\.env/);
      assert.ok(!text.includes('hunter2'), text);
    }
    assert.match(
      settingProblem('env', { PASSWORD: ['hunter2'] }, english) ?? '',
      /"PASSWORD" must be a text/,
    );
  });
});
