import assert from 'node:assert/strict';
import * as z from 'zod/mini';

import { whenUsed } from '../../../src/protocol/messages/methods/schemas.js';

describe('schemas that are made when they are used', () => {
  it('are made once, each by itself', () => {
    const made: string[] = [];
    const making = (name: string) => () => {
      made.push(name);
      return z.literal(name);
    };
    const schemas = whenUsed({ one: making('one'), two: making('two') });
    assert.deepEqual(Object.keys(schemas), ['one', 'two']);
    assert.deepEqual(made, []);
    assert.equal(schemas.two, schemas.two);
    assert.equal(z.safeParse(schemas.two, 'two').success, true);
    assert.deepEqual(made, ['two']);
    assert.deepEqual(Object.keys(schemas), ['one', 'two']);
  });
});
