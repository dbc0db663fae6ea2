import assert from 'node:assert/strict';

import fc from 'fast-check';

import { parseStty } from '../../../../src/local/child/inputMode.js';

/** The output of the programs of these systems, without lines that are of no use here. */
const GNU = `speed 38400 baud; rows 24; columns 80; line = 0;
intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts
-ignbrk -brkint -inlcr -igncr -icrnl ixon
opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0
isig icanon iexten -echo echoe echok -echonl -noflsh -xcase -tostop -echoprt
echoctl echoke -flusho -extproc
`;
const MACOS = `speed 9600 baud; 24 rows; 80 columns;
lflags: -icanon isig iexten echo echoe -echok echoke -echonl echoctl
\t-echoprt -altwerase -noflsh -tostop -flusho pendin -nokerninfo
\t-extproc
iflags: -istrip icrnl -inlcr -igncr ixon -ixoff ixany imaxbel iutf8
cchars: discard = ^O; dsusp = ^Y; eof = ^D; eol = <undef>;
`;
const BUSYBOX = `speed 38400 baud; rows 24; columns 80; line = 0;
intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>;
isig -icanon -iexten -echo -echoe echok -echonl -noflsh -xcase -tostop
`;

describe('The output of stty', () => {
  it('is read as the systems print it', () => {
    assert.deepEqual(parseStty(GNU), { canonical: true, echo: false, enterIsLineFeed: false });
    assert.deepEqual(parseStty(MACOS), { canonical: false, echo: true, enterIsLineFeed: true });
    assert.deepEqual(parseStty(BUSYBOX), { canonical: false, echo: false });
  });

  it('is read by whole words, wherever they are @property', () => {
    const others = fc.array(
      fc.constantFrom('echoe', '-echok', 'xicanon', 'cs8', 'iexten', 'rows 24;', 'eof = ^D;'),
    );
    const gap = fc.constantFrom(' ', '\n', '\t', '; ', ' \n');
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        others,
        others,
        others,
        gap,
        (canonical, echo, a, b, c, between) => {
          const words = [...a, canonical ? 'icanon' : '-icanon', ...b, echo ? 'echo' : '-echo', ...c];
          assert.deepEqual(parseStty(words.join(between)), { canonical, echo });
        },
      ),
    );
  });

  it('is nothing if it is something else', () => {
    for (const text of [
      '',
      'stty: standard input: Input/output error',
      GNU.replace('-echo ', ''),
      'icanon',
    ]) {
      assert.equal(parseStty(text), undefined);
    }
  });
});
