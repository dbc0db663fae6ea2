import assert from 'node:assert/strict';

import fc from 'fast-check';

import { isExecError } from '../../../../src/core/index.js';
import { quoteWindowsArgument, windowsCommand } from '../../../../src/local/windows/commandText.js';

const CMD = 'C:\\Windows\\System32\\cmd.exe';
const SHIM = 'C:\\Program Files\\nodejs\\npm.cmd';

function textFor(file: string, args: readonly string[]): string {
  return windowsCommand({ file, args, program: file, cwd: 'C:\\' }, CMD).text;
}

/** How the C runtime of nearly all programs splits a text into arguments. */
function split(text: string): string[] {
  const args: string[] = [];
  let argument: string | undefined;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const slashes = /^\\*/.exec(text.slice(at))?.[0].length ?? 0;
    if (slashes > 0 && text[at + slashes] === '"') {
      argument = (argument ?? '') + '\\'.repeat(Math.floor(slashes / 2));
      at += slashes;
      if (slashes % 2 === 1) {
        argument += '"';
        continue;
      }
    }
    const character = text.charAt(at);
    if (character === '"') {
      argument ??= '';
      if (quoted && text[at + 1] === '"') {
        argument += '"';
        at += 1;
      } else {
        quoted = !quoted;
      }
    } else if (!quoted && /[ \t]/.test(character)) {
      if (argument !== undefined) args.push(argument);
      argument = undefined;
    } else {
      argument = (argument ?? '') + character;
    }
  }
  return argument === undefined ? args : [...args, argument];
}

/** How cmd.exe reads the text after its name: the command without the outer quotes, and its operators. */
function asCmd(text: string): { command: string; operators: string } {
  const [, inner] = /^(?:\/\S+ )+"(.*)"$/s.exec(text) ?? assert.fail(text);
  const command = (inner ?? '').replaceAll('%cd:~,%', '');
  const outside = command.replace(/"[^"]*(?:"|$)/g, '');
  return { command, operators: outside.replace(/[^&|<>()^!,;=\r\n]/g, '') };
}

const CHARACTERS = ' "\\%&|<>^!()\'`,;=@~*?/:aZé0\t';

const text = fc.string({ unit: fc.constantFrom(...CHARACTERS.split(/(?:)/u)), maxLength: 12 });

describe('Arguments on Windows', () => {
  const table: readonly (readonly [argument: string, quoted: string])[] = [
    ['plain', 'plain'],
    ['', '""'],
    ['a b', '"a b"'],
    ['c"d', '"c\\"d"'],
    ['e\\', 'e\\'],
    ['e f\\', '"e f\\\\"'],
    ['g\\"h', '"g\\\\\\"h"'],
    ['"a b"', '"\\"a b\\""'],
    ['C:\\x\\y', 'C:\\x\\y'],
  ];
  for (const [argument, quoted] of table) {
    it(JSON.stringify(argument), () => {
      assert.equal(quoteWindowsArgument(argument), quoted);
    });
  }

  it('arrive as they were given @property', () => {
    fc.assert(
      fc.property(fc.array(text), (args) => {
        assert.deepEqual(split(textFor('C:\\node.exe', args)), args);
      }),
    );
  });
});

describe('A batch file', () => {
  const before = '/d /e:on /v:off /s /c "';

  it('is run by the cmd.exe of the system', () => {
    assert.deepEqual(windowsCommand({ file: SHIM, args: ['test'], program: 'npm', cwd: 'C:\\' }, CMD), {
      file: CMD,
      text: `${before}"${SHIM}" test"`,
    });
  });

  const table: readonly (readonly [argument: string, quoted: string])[] = [
    ['a b', '"a b"'],
    ['', '""'],
    ['a&calc', '"a&calc"'],
    ['"&calc', '"""&calc"'],
    ['\\"&calc', '"\\\\""&calc"'],
    ['a\\', '"a\\\\"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['a^b', '"a^b"'],
    ['x=1,2;3', '"x=1,2;3"'],
    ['--flag', '--flag'],
  ];
  for (const [argument, quoted] of table) {
    it(`with ${JSON.stringify(argument)}`, () => {
      assert.equal(textFor(SHIM, [argument]), `${before}"${SHIM}" ${quoted}"`);
    });
  }

  it('gives its arguments on as they were given, and none of them is read by cmd.exe @property', () => {
    fc.assert(
      fc.property(fc.array(text), (args) => {
        const { command, operators } = asCmd(textFor(SHIM, args));
        assert.deepEqual(split(command), [SHIM, ...args]);
        assert.equal(operators, '');
      }),
    );
  });

  it('may have percent signs in its path', () => {
    assert.equal(textFor('C:\\100%\\x.BAT', []), `${before}"C:\\100%%cd:~,%\\x.BAT""`);
  });

  for (const argument of ['a\nb', 'a\rcalc', '\n']) {
    it(`is not given ${JSON.stringify(argument)}`, () => {
      assert.throws(
        () => textFor(SHIM, [argument]),
        (error) => isExecError(error) && error.failure.kind === 'cmdLineBreak',
      );
    });
  }

  it('is refused beyond the length that cmd.exe takes', () => {
    const room = 8_191 - `"${SHIM}" `.length;
    textFor(SHIM, ['x'.repeat(room)]);
    assert.throws(
      () => textFor(SHIM, ['x'.repeat(room + 1)]),
      (error) =>
        isExecError(error) && error.failure.kind === 'cmdTooLong' && error.failure.characters === 8_192,
    );
  });
});

describe('A line for cmd.exe', () => {
  const table: readonly (readonly [args: readonly string[], text: string])[] = [
    [['/d', '/s', '/c', 'echo "a b"'], '/d /s /c "echo "a b""'],
    [['/c', 'dir "C:\\Program Files"'], '/s /c "dir "C:\\Program Files""'],
    [['/C', 'echo hi & exit 3'], '/s /C "echo hi & exit 3"'],
    [['/k', '"C:\\x y\\vars.bat"'], '/s /k ""C:\\x y\\vars.bat""'],
    [['/q', '/v:on', '/c', 'echo !PATH!'], '/q /v:on /s /c "echo !PATH!"'],
    [['/c', 'echo', 'a', '&', 'exit', '3'], '/s /c "echo a & exit 3"'],
    [['/c', 'C:\\Program Files\\x.exe', 'a b'], '/s /c ""C:\\Program Files\\x.exe" "a b""'],
    [['/c', 'dir\r\n'], '/s /c "dir"'],
    [['/c'], '/c'],
    [[], ''],
    [['x', '/c', 'a b'], 'x /c "a b"'],
  ];
  for (const [args, expected] of table) {
    it(JSON.stringify(args), () => {
      assert.equal(textFor(CMD, args), expected);
    });
  }

  it('is one line', () => {
    assert.throws(
      () => textFor(CMD, ['/c', 'echo a\necho b']),
      (error) => isExecError(error) && error.failure.kind === 'cmdLineBreak',
    );
  });

  it('is for no other program', () => {
    assert.equal(textFor('C:\\sh.exe', ['/c', 'echo "a b"']), '/c "echo \\"a b\\""');
  });
});
