import assert from 'node:assert/strict';
import { english } from '../../../src/core/index.js';
import { malformedSettingText, settingDefinitions } from '../../../src/sessions/options/settings.js';

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
    for (const variables of [
      { A: 1 },
      { '': 'x' },
      { 'A=B': 'x' },
      { 'A=B': null },
      { '*': null },
      { 'A?': null },
    ]) {
      assert.equal(settingDefinitions.env.parse(variables), undefined);
    }
    for (const definition of Object.values(settingDefinitions)) {
      assert.equal(definition.parse(null), undefined);
    }
  });

  it('are named with their value and the default when they are malformed', () => {
    assert.equal(
      malformedSettingText('terminalOnClose', 'keep', english),
      'The setting "execSessions.terminal.onClose" is "keep", but it must be one of "detach", "stop", "ask". ' +
        'The default, "detach", is used.',
    );
    assert.equal(
      malformedSettingText('retainedMiB', -1, english),
      'The setting "execSessions.output.retainedMegabytes" is -1, but it must be a number from 0.0625 to 256. ' +
        'The default, 1, is used.',
    );
  });

  it('never show the values of environment variables', () => {
    const text = malformedSettingText('env', { PASSWORD: ['hunter2'] }, english);
    assert.match(text, /is \{ PASSWORD \}, but/);
    assert.ok(!text.includes('hunter2'));
    assert.doesNotMatch(malformedSettingText('env', ['A=hunter2'], english), /hunter2/);
    assert.doesNotMatch(malformedSettingText('env', 'A=hunter2', english), /hunter2/);
  });

  it('show every name of the variables', () => {
    const shown = (value: unknown) => /is (.*), but/.exec(malformedSettingText('env', value, english))?.[1];
    assert.equal(shown({ '': 'x', 'A=B': 'y', 'GOOD': 'z' }), '{ "", "A=B", GOOD }');
    assert.equal(shown(null), 'null');
    assert.equal(shown([]), '[…]');
  });
});
