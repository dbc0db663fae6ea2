import assert from 'node:assert/strict';
import fc from 'fast-check';

import { maskSecrets } from '../../../src/core/index.js';

const masked: Readonly<Record<string, string>> = {
  'TOKEN=abc make': 'TOKEN=*** make',
  'export GITHUB_TOKEN=abc; make': 'export GITHUB_TOKEN=***; make',
  "PGPASSWORD='a b' psql -h db": 'PGPASSWORD=*** psql -h db',
  'MYSQL_PWD="a\\"b" mysql': 'MYSQL_PWD=*** mysql',
  'AWS_SECRET_ACCESS_KEY=a"b c"d&& aws s3 ls': 'AWS_SECRET_ACCESS_KEY=***&& aws s3 ls',
  'docker run -e DB_PASSWORD=x image': 'docker run -e DB_PASSWORD=*** image',
  'deploy --password hunter2 --user me': 'deploy --password *** --user me',
  'deploy --password=hunter2 --user me': 'deploy --password=*** --user me',
  "deploy --api-key 'a b'": 'deploy --api-key ***',
  'deploy --client-secret "cut off here': 'deploy --client-secret ***',
  'curl -H "Authorization: Bearer abc.def" https://x': 'curl -H "Authorization: ***" https://x',
  "curl -H 'X-Api-Key: abc' https://x": "curl -H 'X-Api-Key: ***' https://x",
  "curl -H 'Cookie: a=b; c=d' https://x": "curl -H 'Cookie: ***' https://x",
  'curl -u me:pass https://x': 'curl -u me:*** https://x',
  'curl --user me:pass https://x': 'curl --user me:*** https://x',
  'git clone https://me:pass@host/x': 'git clone https://me:***@host/x',
  'git clone https://:pass@host/x': 'git clone https://:***@host/x',
  'curl https://x/?access_token=abc&page=2': 'curl https://x/?access_token=***&page=2',
  'mysql -u root -ppass db': 'mysql -u root -p*** db',
  'mysqldump -ppass db': 'mysqldump -p*** db',
  'sshpass -p pass ssh x': 'sshpass -p *** ssh x',
  "env 'TOKEN=two words' make": "env 'TOKEN=***' make",
  // This may be a value as well.
  "bash -c 'TOKEN=abc make'; ls": "bash -c 'TOKEN=***'; ls",
  "bash -c 'cd x; TOKEN=abc make'": "bash -c 'cd x; TOKEN=*** make'",
  "bash -lc 'login --password hunter2 && make'": "bash -lc 'login --password *** && make'",
  "sh -c 'x --token '\\''a b'\\'' y'": "sh -c 'x --token *** y'",
  'run --cmd="cd x; API_KEY=abc make"': 'run --cmd="cd x; API_KEY=*** make"',
  'ssh host "X=1 TOKEN=abc login --secret abc -v"': 'ssh host "X=1 TOKEN=*** login --secret *** -v"',
  'curl -d \'{"user": "me", "password": "a b"}\' x': 'curl -d \'{"user": "me", "password": "***"}\' x',
  'curl -d "{\\"api_key\\":\\"a b\\"}" x': 'curl -d "{\\"api_key\\":\\"***\\"}" x',
  'gh auth login --with ghp_0123456789abcdefABCDEF': 'gh auth login --with ***',
};

const left = [
  'make -p target',
  'ssh -p 22 me@host',
  'git log --author=me',
  'serve --token-file /run/token --password-stdin',
  'run --max-tokens 100',
  'mysql -p db',
  'git clone git@github.com:me/x.git',
  'curl http://127.0.0.1:8080/a',
  'echo a=b c:d',
  'kubectl get secrets',
  'cannot write /run/x/token-12: no space left, nor /run/my-token: read-only',
  'docker login --password-stdin',
];

describe('Secrets in command lines', () => {
  for (const [text, expected] of Object.entries(masked)) {
    it(`are masked: ${text}`, () => {
      assert.equal(maskSecrets(text), expected);
      assert.equal(maskSecrets(expected), expected, 'a second time changes nothing');
    });
  }

  it('leave the rest of a line alone that quotes them', () => {
    const line = 'started: "login --password ***" in /x, by "me"';
    assert.equal(maskSecrets(line), line);
  });

  it('are not seen where there are none', () => {
    assert.deepEqual(left.map(maskSecrets), left);
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

  it('are looked for in linear time @all', () => {
    const pieces = [
      'a',
      '-',
      '=',
      ':',
      '://',
      '"',
      "'",
      ' ',
      '--token ',
      'mysql ',
      '-u ',
      'eyJ',
      'Bearer ',
      '\\',
      'mysql -p',
      "'a=",
      '"a":"',
      '"a":',
      "-c '",
      'token=',
    ];
    for (const piece of pieces) {
      // Quadratic time would outlast the limit of a test.
      maskSecrets(piece.repeat(Math.ceil(400_000 / piece.length)));
    }
  });
});
