import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';

import { maskArguments, maskSecrets } from '../../../../src/core/index.js';

function linesOf(file: string): readonly string[] {
  return readFileSync(path.join(__dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.replaceAll('⏎', '\n').replaceAll('·', ''));
}

const forms = linesOf('forms.txt').map((line) => ({
  text: line.replaceAll(/[⟦⟧]/g, ''),
  masked: line.replaceAll(/⟦[^⟧]*⟧/g, '***'),
}));
const ordinary = linesOf('ordinary.txt');

describe('Secrets in command lines', () => {
  it('are masked in all forms', () => {
    assert.ok(forms.length >= 225);
    assert.deepEqual(
      forms.map(({ text }) => maskSecrets(text)),
      forms.map(({ masked }) => masked),
    );
  });

  it('are masked once: a second time changes nothing', () => {
    const masked = forms.map((form) => form.masked);
    assert.deepEqual(masked.map(maskSecrets), masked);
  });

  it('are not seen in ordinary command lines', () => {
    assert.ok(ordinary.length >= 650);
    assert.deepEqual(ordinary.map(maskSecrets), ordinary);
    const argv = ordinary.map((line) => line.split(' '));
    assert.deepEqual(argv.map(maskArguments), argv);
  });

  it('are masked in arguments, each as a whole', () => {
    const arguments_ = [
      ['login', '--password', 'two words', '-v'],
      ['curl', '-u', 'bob:two words', 'https://x'],
      ['curl', 'https://x/?a=1&b=2', '-u', 'bob:two words'],
      ['sh', '-c', 'cd x; mysql -psecret', '-p80'],
      ['mysql', '-ptwo words', 'db'],
      ['env', 'TOKEN=two words', 'make'],
      ['bash', '-c', 'cd x; mysql -psecret; ls', '-p80'],
      ['htpasswd', '-b', 'file', 'bob', 'two words'],
      ['vault', 'login', "it's"],
      ['bash', '-c', 'echo two words | sudo -S ls'],
      ['login', '--password', "'", '--user', "'"],
      ['bash', '-lc', 'API_KEY=abc1 npm test -- --watch'],
      ['ssh', 'h', 'TOKEN=abc ./deploy.sh prod'],
      ['', 'echo', '\n'],
    ];
    assert.deepEqual(arguments_.map(maskArguments), [
      ['login', '--password', '***', '-v'],
      ['curl', '-u', 'bob:***', 'https://x'],
      ['curl', 'https://x/?a=1&b=2', '-u', 'bob:***'],
      ['sh', '-c', 'cd x; mysql -p***', '-p80'],
      ['mysql', '-p***', 'db'],
      ['env', 'TOKEN=***', 'make'],
      ['bash', '-c', 'cd x; mysql -p***; ls', '-p80'],
      ['htpasswd', '-b', 'file', 'bob', '***'],
      ['vault', 'login', '***'],
      ['bash', '-c', 'echo *** | sudo -S ls'],
      ['login', '--password', '***', '--user', "'"],
      ['bash', '-lc', 'API_KEY=*** npm test -- --watch'],
      ['ssh', 'h', 'TOKEN=*** ./deploy.sh prod'],
      ['', 'echo', '\n'],
    ]);
  });

  it('leave the rest of a line alone that quotes them', () => {
    const line = 'started: "login --password ***" in /x, by "me"';
    assert.equal(maskSecrets(line), line);
  });

  it('stay out, whatever stands around them @property', () => {
    const secret = 's3cr3t-value';
    const pieces = ['-c ', "'", '"', 'x=', 'sh ', '\\', ';', ' ', 'TOKEN=', '--token ', '***', '"a":', '\n'];
    const around = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(around, around, (before, after) => {
        const said = maskSecrets(`${before} --password ${secret} ${after}`);
        // An earlier text may open a quote or an option, and this one may be a part of its value.
        assert.ok(!said.includes(secret), said);
      }),
    );
  });

  it('are looked for with work in proportion to the text @all', () => {
    const pieces = [
      ...['a', '-', '=', ':', '://', '"', "'", ' ', '\0', '\n', '(', '`', '\\', '@', '.', '_', '|', '<<<'],
      ...[
        '--token ',
        '-u ',
        '-u =',
        'curl -u ',
        'curl -u a:',
        'mysql ',
        'mysql -p',
        'set TOKEN ',
        'sudo -S ',
      ],
      ...['eyJ', 'sk-', 'sk-.', 'Bearer ', '-----BEGIN PRIVATE KEY-----', 'cookie:', "PASSWORD '", '//a:b@'],
      ...['token=', 'token =', 'token: ', '"a":"', '"token":"$(', 'token="$(', "token='$x'", "'a=", "-c '"],
      ...['"\'', '\\"', '\0-p', '\0--token\0', 'echo a | sudo -S ', 'echo ', 'htpasswd -b ', '<<< a ', '$('],
      ...[',token=b', ',key=b1', 'a=1,password=x,', "',token=b", '",token="b"', 'sudo -S ${A:-\\"mysql -p'],
    ];
    const work = (text: string) => {
      const before = process.cpuUsage();
      maskSecrets(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const short = 12_500;
    const least = work(ordinary.join('\n').repeat(2).slice(0, short));
    for (const piece of [...pieces, ...forms.map(({ text }) => text)]) {
      const text = piece.repeat(Math.ceil(short / piece.length));
      // Work in proportion to the square would be 64 times as much.
      assert.ok(work(text.repeat(8)) < 30 * Math.max(work(text), least), JSON.stringify(piece));
    }
  });
});
