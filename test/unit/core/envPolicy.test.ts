import assert from 'node:assert/strict';

import { childVariables, type EnvPolicy, isExecError, type Variables } from '../../../src/core/index.js';
import fc from 'fast-check';
import { fold, matchesWildcard } from '../../../src/core/envPolicy.js';

const HOST = {
  PATH: '/bin',
  HOME: '/h',
  EDITOR: 'vi',
  API_KEY: 'k',
  GH_TOKEN: 't',
  monkey: 'm',
  MY_VAR: 'x',
};

/** Today's default: everything, and the default excludes ignored. */
const ALL: EnvPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [],
};
const FILTERED: EnvPolicy = { ...ALL, ignoreDefaultExcludes: false };
const NONE: EnvPolicy = { ...ALL, inherit: 'none' };

const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(HOST).filter(([name]) => !names.includes(name)));
const only = (...names: string[]) =>
  Object.fromEntries(Object.entries(HOST).filter(([name]) => names.includes(name)));

const rows: [name: string, policy: EnvPolicy | undefined, overlay: Variables, child: Variables][] = [
  ['no policy, nothing', undefined, {}, {}],
  ['no policy, overlay', undefined, { A: '1' }, { A: '1' }],
  ['all', ALL, {}, HOST],
  ['all, filtered', FILTERED, {}, only('PATH', 'HOME', 'EDITOR', 'MY_VAR')],
  ['core', { ...ALL, inherit: 'core' }, {}, only('PATH', 'HOME')],
  ['none', NONE, {}, {}],
  ['exclude ignores case', { ...ALL, exclude: ['my_*'] }, {}, without('MY_VAR')],
  [
    'set brings back what the filter dropped',
    { ...FILTERED, set: { API_KEY: 'new' } },
    {},
    { ...only('PATH', 'HOME', 'EDITOR', 'MY_VAR'), API_KEY: 'new' },
  ],
  [
    'set brings back what exclude dropped',
    { ...ALL, exclude: ['EDITOR'], set: { EDITOR: 'ed' } },
    {},
    { ...HOST, EDITOR: 'ed' },
  ],
  ['includeOnly', { ...ALL, includeOnly: ['PATH', 'h*'] }, {}, only('PATH', 'HOME')],
  ['includeOnly filters set', { ...ALL, set: { FOO: '1' }, includeOnly: ['PATH'] }, {}, only('PATH')],
  ['the filter comes before includeOnly', { ...FILTERED, includeOnly: ['*KEY*'] }, {}, {}],
  ['an empty includeOnly is none', { ...ALL, includeOnly: [] }, {}, HOST],
  [
    'the overlay is not filtered',
    { ...ALL, includeOnly: ['PATH'] },
    { API_KEY: 'o', B: '2' },
    { PATH: '/bin', API_KEY: 'o', B: '2' },
  ],
  [
    'the overlay wins',
    { ...NONE, set: { S: 'policy' } },
    { S: 'wins', O: 'overlay' },
    { S: 'wins', O: 'overlay' },
  ],
  [
    // The reference adds its thread id after the filter; here the caller of the start lays it over the result.
    'what the caller adds is behind the filter',
    { ...NONE, includeOnly: ['PATH'] },
    { CODEX_THREAD_ID: 'T' },
    { CODEX_THREAD_ID: 'T' },
  ],
];

describe('childVariables', () => {
  for (const [name, policy, overlay, child] of rows) {
    it(name, () => {
      assert.deepEqual(childVariables({ host: HOST, policy, overlay, windows: false }), child);
    });
  }

  it('takes patterns as they are, but for * and ?', () => {
    const host = { 'A.B': '1', 'AXB': '2', 'A[B]': '3', 'A1': '4', 'A12': '5' };
    const keep = (pattern: string) =>
      Object.keys(
        childVariables({ host, policy: { ...ALL, includeOnly: [pattern] }, overlay: {}, windows: false }),
      );
    assert.deepEqual(keep('a.b'), ['A.B']);
    assert.deepEqual(keep('A[B]'), ['A[B]']);
    assert.deepEqual(keep('a?'), ['A1']);
    assert.deepEqual(keep('A1*'), ['A1', 'A12']);
    assert.deepEqual(keep('*'), Object.keys(host));
  });

  it('refuses more patterns than can be looked for in so many variables', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `NAME_${index}`);
    const set = Object.fromEntries(names.map((name) => [name, '1']));
    const child = (includeOnly: readonly string[]) =>
      childVariables({ host: HOST, policy: { ...NONE, set, includeOnly }, overlay: {}, windows: false });
    assert.deepEqual(Object.keys(child(['NAME_29?', 'NAME_2990'])).length, 11);
    assert.throws(
      () => child(names),
      (error) => isExecError(error) && error.failure.kind === 'tooManyPatterns',
    );
  });

  describe('on Windows', () => {
    const windows = true;

    it('adds PATHEXT where it is missing', () => {
      const child = childVariables({ host: {}, policy: NONE, overlay: {}, windows });
      assert.deepEqual(child, { PATHEXT: '.COM;.EXE;.BAT;.CMD' });
    });

    it('lays many variables over as many, which comparing each with each would take minutes for', () => {
      const many = (name: string) =>
        Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${name}${index}`, '1']));
      const policy: EnvPolicy = { ...NONE, set: many('a') };
      const child = childVariables({ host: {}, policy, overlay: { ...many('A'), ...many('b') }, windows });
      assert.equal(Object.keys(child).length, 40_001);
    });

    it('compares names without regard to case', () => {
      const host = { Path: 'C:\\old', PathExt: '.EXE', SystemRoot: 'C:\\Windows', EDITOR: 'vi' };
      const policy: EnvPolicy = { ...ALL, inherit: 'core' };
      const child = childVariables({ host, policy, overlay: { PATH: 'C:\\new' }, windows });
      assert.deepEqual(child, { PathExt: '.EXE', SystemRoot: 'C:\\Windows', PATH: 'C:\\new' });
    });
  });
});

/** The same question to the regular expressions of JavaScript, which may try for ever. */
function matchesExpression(name: string, pattern: string): boolean {
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, (character) =>
    character === '*' ? '.*' : character === '?' ? '.' : `\\${character}`,
  );
  return new RegExp(`^${source}$`, 'isu').test(name);
}

const matches = (name: string, pattern: string) => matchesWildcard(fold(name), fold(pattern));

describe('matchesWildcard', () => {
  it('says the same as a regular expression @property', () => {
    const text = (characters: string) =>
      fc.array(fc.constantFrom(...Array.from(characters)), { maxLength: 9 }).map((some) => some.join(''));
    fc.assert(
      fc.property(text('abAB.É😀\n'), text('abA***??.é😀\n'), (name, pattern) => {
        assert.equal(matches(name, pattern), matchesExpression(name, pattern));
      }),
      {
        examples: [
          ['a', '*'],
          ['aab', '*ab'],
          ['abab', 'a*b'],
          ['ab\n', '?*?'],
          ['aba', 'a*b'],
        ],
      },
    );
  });

  it('takes no more steps than the product of both lengths', () => {
    let steps = 0;
    const counted = (text: string) =>
      new Proxy(fold(text), {
        get: (characters, member) => {
          steps += typeof member === 'string' && /^\d+$/.test(member) ? 1 : 0;
          return Reflect.get(characters, member) as unknown;
        },
      });
    const name = 'a'.repeat(60);
    const pattern = `${'*a'.repeat(15)}b`;
    assert.equal(matchesWildcard(counted(name), counted(pattern)), false);
    // Each step looks at one character of both.
    assert.ok(steps <= 2 * (name.length + 1) * (pattern.length + 1), `${steps} steps`);
  });
});
