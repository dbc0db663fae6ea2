import assert from 'node:assert/strict';

import { lostServers } from '../../src/cli/lostServers.js';
import { builtFiles, useMachine } from '../server/machine/machineFixture.js';
import { describeOnLinux } from '../support/onLinux.js';
import { cli, runLine } from './cliFixture.js';

describe('exec-sessions in a directory that has been removed', () => {
  const machine = useMachine();
  const runThere = (line: string) => runLine(machine, `mkdir gone; cd gone; rmdir ../gone; ${line}`);

  it('starts a server and lists, starts elsewhere, and stops', async () => {
    const { stdout, stderr, code } = await runThere(
      'exec-sessions run --cwd / -- pwd && id=$(exec-sessions run --cwd / --detach -- sleep 1000) && exec-sessions stop $id && exec-sessions --version',
    );
    assert.deepEqual({ stderr, code }, { stderr: '', code: 0 });
    assert.match(stdout, /^\/\nsleep 1000: stopped .*\n\d+\.\d+\.\d+\n$/);
  });

  it('names the directory to a command that would start there', async () => {
    const { stderr, code } = await runThere('exec-sessions run -- echo hi');
    assert.equal(code, 125);
    assert.equal(
      stderr,
      `exec-sessions: There is no directory ${machine.folder}/gone. Give another one with --cwd.\n`,
    );
  });

  it('needs no variable with the path of the directory', async () => {
    for (const path of ['', 'x']) {
      const { stderr, code } = await runThere(`PWD=${path} exec-sessions run -- echo hi`);
      assert.deepEqual(
        { stderr, code },
        {
          stderr: 'exec-sessions: There is no directory /(removed). Give another one with --cwd.\n',
          code: 125,
        },
      );
    }
  });

  it('lets exec-server mcp answer', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const { stdout } = await runThere(
      `echo '${request}' | '${process.execPath}' '${builtFiles}/exec-server.js' mcp`,
    );
    assert.match(stdout, /"serverInfo"/);
  });
});

describeOnLinux('exec-sessions where a name is not UTF-8', () => {
  const machine = useMachine();

  it('refuses such an argument, and starts nothing', async () => {
    const { stdout, stderr, code } = await runLine(
      machine,
      String.raw`printf a > $'\351'; exec-sessions run -- cp $'\351' copy; ls`,
    );
    assert.equal(
      stderr,
      'exec-sessions: An argument is not UTF-8. Type it in a session instead: exec-sessions run -- bash\n',
    );
    assert.equal(stdout.includes('copy'), false);
    assert.equal(code, 0);
    assert.equal((await runLine(machine, String.raw`exec-sessions logs $'\351'`)).code, 2);
  });

  it('takes an argument that has the replacement character itself', async () => {
    assert.equal((await runLine(machine, "exec-sessions run -- printf '\uFFFD'")).stdout, '\uFFFD');
  });

  it('refuses to start in such a directory, and runs despite such a variable', async () => {
    const there = String.raw`mkdir $'d\351'; cd $'d\351'; V=$'\351'`;
    const { stderr, code } = await runLine(machine, `${there} exec-sessions run -- pwd`);
    assert.match(stderr, /^exec-sessions: The name of the directory .* is not UTF-8\. Give another one/);
    assert.equal(code, 125);
    assert.equal(
      (await runLine(machine, `${there.replace('mkdir', 'mkdir -p')} exec-sessions run --cwd / -- pwd`))
        .stdout,
      '/\n',
    );
  });
});

describeOnLinux('A file that the starter of a session server had open', () => {
  const machine = useMachine();

  it('is open neither in the server nor in its sessions', async () => {
    const { stdout } = await runLine(
      machine,
      `exec 9>lock9 63>lock63 200>lock200; exec-sessions run -- sh -c 'ls -l /proc/self/fd /proc/$PPID/fd 2>/dev/null'`,
    );
    assert.match(stdout, /eventpoll/);
    assert.doesNotMatch(stdout, /lock\d/);
  });
});

describeOnLinux('exec-sessions run', () => {
  const machine = useMachine();
  const outputOf = async (line: string) => {
    const { stdout, stderr } = await runLine(machine, line);
    assert.equal(stderr, '');
    return stdout;
  };

  it('gives a session the umask and the limits of its starter, and no others', async () => {
    const made = 'exec-sessions run -- touch made; stat -c %a made; rm made';
    assert.equal(await outputOf(`umask 077; ${made}`), '600\n');
    assert.equal(await outputOf(`umask 022; ${made}`), '644\n');
    assert.equal(await outputOf(`ulimit -n 300; exec-sessions run -- sh -c 'ulimit -n'`), '300\n');
  });

  it('leaves the input of a script alone with -n', async () => {
    const loop = (run: string) =>
      `printf 'a\\nb\\n' | while read -r x; do exec-sessions ${run} -- sh -c 'cat; echo $0' $x; done`;
    assert.equal(await outputOf(loop('run -n')), 'a\nb\n');
    assert.equal(await outputOf(loop('run')), 'b\na\n');
  });

  it('keeps to the limits of the session server', async () => {
    const limit = `exec-sessions run -- sh -c 'ulimit -n'`;
    assert.equal(await outputOf(`(ulimit -n 300; ${limit}); ${limit}`), '300\n300\n');
  });

  for (const terminal of [false, true]) {
    it(`tells by its exit code why a program ${terminal ? 'on a terminal ' : ''}cannot run`, async () => {
      const run = (program: string) =>
        terminal ? `script -qec "exec-sessions run ${program}" log` : `exec-sessions run ${program} &>log`;
      const codeOf = async (program: string) => {
        const link = `mkdir -p bin; ln -sf '${cli}' bin/exec-sessions; PATH=$PWD/bin:$PATH`;
        const scripts = `printf '#!/no/such\\r\\n' >script; printf '#!/etc/passwd\\n' >odd; chmod +x script odd`;
        const { stdout } = await runLine(
          machine,
          `${link}; unset -f exec-sessions; ${scripts}; ${run(program)} >/dev/null; echo $?; cat log`,
        );
        return stdout;
      };
      assert.match(await codeOf('./none'), /^127\n[^]*there is no such program/);
      assert.match(await codeOf('./script'), /^127\n[^]*it needs "\/no\/such\\r", which is not there/);
      assert.match(await codeOf('/etc/passwd'), /^126\n[^]*not an executable file/);
      assert.match(await codeOf('./odd'), /^126\n[^]*not an executable file/);
    });
  }
});

describeOnLinux('The session server', () => {
  const machine = useMachine();

  it('is not taken for one without sessions while it stands still', async () => {
    await runLine(machine, 'exec-sessions run --detach --title s -- sleep 1000');
    const [pid = assert.fail()] = await machine.servers();
    process.kill(pid, 'SIGSTOP');
    const outcomes = await Promise.all(
      ['ls', 'ls --all', 'ls --json', 'stop s', 'server stop --force', 'server status', 'search s'].map(
        (line) => runLine(machine, `exec-sessions ${line}`),
      ),
    ).finally(() => process.kill(pid, 'SIGCONT'));
    const unknown = 'It is not known what runs: a session server cannot be reached now.';
    const leftOut =
      /^exec-sessions: a session server is left out\. .* does not answer within 5 seconds\. .*\n/;
    assert.deepEqual(
      outcomes.map(({ stderr, code }) => [leftOut.test(stderr), stderr.replace(leftOut, '').trim(), code]),
      [
        [true, unknown, 1],
        [true, unknown, 1],
        [true, '', 1],
        [
          true,
          'exec-sessions: "s" may be on a session server that cannot be reached now: no other one has it.',
          1,
        ],
        [true, 'exec-sessions: A session server goes on, with its sessions: it cannot be reached now.', 1],
        [true, '', 1],
        [true, 'exec-sessions: sessions of a server that cannot be reached now were not searched.', 1],
      ],
    );
    assert.equal(outcomes[2]?.stdout, '{"version":1,"incomplete":true,"sessions":[],"others":[]}\n');
    assert.equal((await runLine(machine, 'exec-sessions stop s')).code, 0);
  });

  describe('whose folder has just been removed', () => {
    /**
     * Runs a line of bash. Until its `$GO`, the server stands still, so that it does not make the folder again. The rest
     * of `run` stays, because the program would look into the home of whoever runs the tests.
     */
    async function runWithout(line: string) {
      await runLine(machine, 'exec-sessions run -- true');
      const [pid = assert.fail()] = await machine.servers();
      return runLine(machine, `GO='kill -CONT ${pid}'; kill -STOP ${pid}; rm -r run/exec-sessions; ${line}`);
    }

    it('is not taken for one without sessions', async () => {
      const { stderr } = await runWithout('exec-sessions ls; $GO; exec-sessions server stop --force');
      assert.match(stderr, /^It is not known what runs: /);
      assert.deepEqual(await machine.servers(), []);
    });

    it('is found by status and stop', async () => {
      const server = 'exec-sessions server';
      const { stdout, stderr, code } = await runWithout(
        `${server} status; ${server} stop; $GO; ${server} stop --force && ${server} status`,
      );
      const [socket = '', removed, , after] = stdout.split('\n');
      assert.match(
        socket,
        new RegExp(`^${machine.folder}/run/exec-sessions/sessions-.*\\.sock \\(pid \\d+\\)$`),
      );
      assert.equal(removed, '  The socket has been removed. The server makes another one within seconds.');
      assert.match(stderr, /^exec-sessions: The socket .* Try again in some seconds, or: .* stop --force\n/);
      assert.match(stderr, /No session server runs\. The first session starts one\.\n$/);
      assert.match(after ?? '', /^Place: /);
      assert.equal(code, 0);
      assert.deepEqual(await machine.servers(), []);
    });
  });

  // The program itself would look into the home of whoever runs the tests.
  it('is found when the folder that the variable names has just been removed', async () => {
    await runLine(machine, 'exec-sessions run -- true; rm -r run');
    const [{ pid } = { pid: undefined }] = await lostServers(machine, []);
    assert.deepEqual([pid], await machine.servers());
  });
});

describeOnLinux('A session that would show itself', () => {
  const machine = useMachine();
  const run = (line: string) =>
    `exec-sessions run --detach --title one -- bash -c '${line.replaceAll('exec-sessions', `"$NODE" "$CLI"`)}' >/dev/null`;
  const there = `export NODE='${process.execPath}' CLI='${cli}'`;

  for (const line of ['attach one', 'logs -f one', 'logs one --follow | cat']) {
    it(`is refused by ${line}`, async () => {
      const { stdout } = await runLine(
        machine,
        `${there}; ${run(`exec-sessions ${line}`)}; exec-sessions wait one --for closed; exec-sessions logs one`,
      );
      assert.match(
        stdout,
        /^exec-sessions: This runs in "one" itself, so the output would have no end\. .*\r?\n$/,
      );
    });
  }

  it('is not refused into a file, or when it only looks back', async () => {
    const { stdout } = await runLine(
      machine,
      `${there}; ${run('echo hi; exec-sessions logs one; exec-sessions logs -f one >copy & until grep -q hi copy; do sleep 0.1; done; echo copied')}; ` +
        'exec-sessions wait one --for /copied/; exec-sessions stop one >&2; exec-sessions logs one',
    );
    assert.match(stdout, /^hi\r\nhi\r+\n/);
    assert.match(stdout, /copied/);
  });

  it('is refused in two sessions inside each other', async () => {
    const { stdout } = await runLine(
      machine,
      `${there}; exec-sessions run --detach --title two -- bash -c 'echo ready; read line; "$NODE" "$CLI" attach one' >/dev/null; ` +
        `${run('echo begun; exec-sessions attach two')}; exec-sessions wait one --for /ready/; exec-sessions send two go; ` +
        `exec-sessions wait two --for /no.end/ --timeout 60; exec-sessions kill one two >/dev/null; exec-sessions logs two`,
    );
    assert.match(
      stdout,
      /exec-sessions: "one" shows the session that this runs in, so the output would have no end\./,
    );
  });
});
