import assert from 'node:assert/strict';

import fc from 'fast-check';

import { messageText } from '../../../src/protocol/messages/messageText.js';

describe('The text of a message', () => {
  it('is what JSON.stringify makes of it, with whole characters for half ones @property', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\\', 'u', 'd', '8', '0', '\ud83d', '\ude00', '"', '\n', 'x') }),
        (text) => {
          const message = { [text]: [text] };
          const whole = text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
          assert.deepEqual(JSON.parse(messageText(message)), { [whole]: [whole] });
          assert.equal(messageText({ whole }), JSON.stringify({ whole }));
          assert.doesNotMatch(messageText(message), /(?<!\\)(?:\\\\)*\\ud/);
        },
      ),
    );
  });
});
