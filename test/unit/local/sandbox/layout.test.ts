import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import fc from 'fast-check';

import type { Sandbox, SandboxPlace } from '../../../../src/core/index.js';
import { layoutOf, type OwnFolders } from '../../../../src/local/sandbox/layout.js';
import { assertRejects } from '../../../support/assertRejects.js';
import { give, layoutAs, runIn, USERS } from '../../../support/layoutRuns.js';
import { asRoot, describeOnLinux } from '../../../support/onLinux.js';

const read = (place: string): SandboxPlace => ({ path: place, access: 'read' });
const write = (place: string): SandboxPlace => ({ path: place, access: 'write' });
const sandbox = (...places: SandboxPlace[]): Sandbox => ({ places: [read('/'), ...places], network: false });
const PROTECTED = ['.git', '.agents', '.codex', '.aws'];
const [OWN_USER = 0] = USERS;
const NOTHING_OWN: OwnFolders = { covered: [], readOnly: [], sockets: [] };

for (const uid of USERS) {
  const level = uid === OWN_USER ? '' : ' @all';
  describeOnLinux(`The file system of a sandbox of the user ${uid}${level}`, () => {
    let folder: string;
    const at = (name: string) => path.join(folder, name);
    const make = (...names: string[]) => {
      for (const name of names) {
        const parent = name.includes('/') ? [path.dirname(name)] : [];
        parent.forEach((one) => fs.existsSync(at(one)) || make(one));
        fs.mkdirSync(at(name));
        give(at(name), uid);
      }
    };
    const put = (name: string, text = 'kept') => {
      fs.writeFileSync(at(name), text);
      give(at(name), uid);
    };
    const run = async (asked: Sandbox, script: string, own = NOTHING_OWN) =>
      runIn(await layoutAs(uid, asked, own), uid, script, folder);

    beforeEach(() => {
      folder = fs.realpathSync(fs.mkdtempSync('/tmp/layout-'));
      give(folder, uid);
    });
    afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

    it('can be written to only below writable places', async () => {
      make('web', 'other');
      const said = await run(
        sandbox(write(at('web'))),
        'touch web/ok && ls web; touch other/bad; echo x > file',
      );
      assert.match(said, /^ok\n.*other\/bad.*Read-only file system\n.*file: Read-only file system\n$/);
    });

    it('keeps protected folders, whether they exist or not, below each writable one', async () => {
      make('web/.git', 'web/in/.codex');
      put('web/.git/config');
      const asked = sandbox(write(at('web')), write(at('web/in')));
      const script = `
        for f in web web/in; do cd ${folder}/$f
          for name in ${PROTECTED.join(' ')}; do
            { touch $name/x || mkdir $name || rmdir $name || mv $name y || rm -rf $name || ln -s / $name; } 2>/dev/null && echo escaped: $f/$name
          done
        done
        cat ${folder}/web/.git/config`;
      assert.equal(await run(asked, script), 'kept');
      assert.deepEqual(fs.readdirSync(at('web/in')), ['.codex']);
    });

    it('holds protected folders that are there, since an ending sandbox may remove them', async () => {
      make('web', 'web/.git');
      const { mountPoints } = await layoutAs(uid, sandbox(write(at('web')), read(at('web/.git'))));
      assert.deepEqual(
        mountPoints,
        ['.git', '.agents', '.codex', '.aws'].map((name) => at(`web/${name}`)),
      );
    });

    it('keeps a file that is named as a protected folder', async () => {
      make('web');
      put('web/.git');
      const said = await run(
        sandbox(write(at('web'))),
        'cd web; echo x > .git; rm .git; mv .git x; cat .git',
      );
      assert.match(said, /Read-only file system\n.*busy\n.*busy\nkept$/);
    });

    it('has a workspace that is reached by a link', async () => {
      make('web', 'web/.git');
      fs.symlinkSync(at('web'), at('link'));
      const places = [write(at('link')), ...PROTECTED.map((name) => read(at(`link/${name}`)))];
      const said = await run(sandbox(...places), 'cd link; touch ok && ls; touch .git/bad || mkdir .aws');
      assert.match(said, /^ok\n.*\.git\/bad.*Read-only.*\n.*\.aws.*File exists\n$/);
    });

    it('has a workspace that is reached by a link in another writable folder', async () => {
      make('web');
      fs.symlinkSync(at('web'), at('link'));
      const places = [write(folder), write(at('link')), read(at('link/.git'))];
      assert.match(
        await run(sandbox(...places), 'touch link/ok && ls web; mkdir web/.git'),
        /^ok\n.*File exists/,
      );
    });

    for (const [what, target] of [
      ['leads elsewhere', 'real'],
      ['leads nowhere', 'nowhere'],
    ] as const) {
      it(`is refused if a protected folder is a link that ${what}`, async () => {
        make('web', 'web/real');
        fs.symlinkSync(target, at('web/.git'));
        assert.deepEqual((await layoutAs(uid, sandbox(write(at('web'))))).failure, {
          kind: 'sandboxLink',
          path: at('web/.git'),
        });
      });
    }

    it('is refused if a link that could be replaced leads to a read-only place', async () => {
      make('web', 'web/d', 'web/d/x');
      fs.symlinkSync('d', at('web/l'));
      const { failure } = await layoutAs(uid, sandbox(write(at('web')), read(at('web/l/x'))));
      assert.deepEqual(failure, { kind: 'sandboxLink', path: at('web/l') });
    });

    it('keeps a read-only place that is missing', async () => {
      make('web');
      const places = [write(at('web')), read(at('web/a/b'))];
      assert.match(await run(sandbox(...places), 'mkdir -p web/a/b'), /web\/a\/b.*Read-only file system/);
    });

    it('has nothing at a writable place that is missing, unless its folder is writable', async () => {
      make('web');
      assert.match(await run(sandbox(write(at('web/new'))), 'mkdir web/new'), /Read-only file system/);
      assert.equal(
        await run(sandbox(write(at('web')), write(at('web/new'))), 'mkdir web/new && touch web/new/x'),
        '',
      );
    });

    it('lets a program make a protected folder that it is asked to write to', async () => {
      make('web');
      const places = [write(at('web')), write(at('web/.git')), read(at('web/.git'))];
      assert.equal(await run(sandbox(...places), 'mkdir web/.git && touch web/.git/HEAD'), '');
    });

    it('has the git folder of a worktree as its own entry says', async () => {
      make('web', 'web/.git', 'web/.git/worktrees', 'web/.git/worktrees/a');
      const places = [write(at('web')), write(at('web/.git/worktrees/a'))];
      const said = await run(
        sandbox(...places),
        'cd web/.git; touch worktrees/a/index; touch x; mv worktrees y',
      );
      assert.match(said, /^touch.*'x'.*Read-only.*\nmv.*worktrees.*\n$/);
      assert.deepEqual(fs.readdirSync(at('web/.git/worktrees/a')), ['index']);
    });

    it('has a single file that can be written', async () => {
      make('web');
      put('web/one');
      put('web/two');
      const said = await run(sandbox(write(at('web/one'))), 'cd web; echo x > one; echo x > two; rm one');
      assert.match(said, /two: Read-only.*\n.*one.*\n$/);
      assert.equal(fs.readFileSync(at('web/one'), 'utf8'), 'x\n');
    });

    it('keeps the folders between two writable ones where they are', async () => {
      make('tmp', 'tmp/a', 'tmp/a/proj');
      const places = [write(at('tmp')), write(at('tmp/a/proj'))];
      const said = await run(sandbox(...places), 'cd tmp; touch x a/x a/proj/x; mv a b; mv a/proj c');
      assert.match(said, /^mv: cannot move 'a'.*busy\n(?:mv: cannot .*'a\/proj.*busy\n)+$/);
    });

    it('takes any name', async () => {
      const odd = ['-bind', 'a=b', 'new\nline', ' ', '"\'$(id)', '\u202e'];
      make(...odd);
      const { mounts, mountPoints } = await layoutAs(uid, sandbox(...odd.map((name) => write(at(name)))));
      assert.equal(mountPoints.length, odd.length * PROTECTED.length);
      const said = runIn(
        { mounts, mountPoints },
        uid,
        'for f in ./*; do touch "$f/ok" || echo "$f"; done',
        folder,
      );
      assert.equal(said, '');
      odd.forEach((name) => assert.deepEqual(fs.readdirSync(at(name)), ['ok']));
    });

    asRoot('needs no mount point that the user cannot make', async () => {
      fs.mkdirSync(at('web'));
      fs.chownSync(at('web'), 1, 1);
      const layout = await layoutAs(uid, sandbox(write(at('web'))));
      assert.deepEqual(layout.mountPoints, []);
      assert.match(runIn(layout, uid, 'echo runs; mkdir web/.git', folder), /^runs\n.*Permission denied\n$/);
    });

    asRoot('needs no mount in a folder that the user cannot look into', async () => {
      make('web', 'web/locked', 'web/locked/in');
      fs.chownSync(at('web/locked'), 1, 1);
      fs.chmodSync(at('web/locked'), 0o700);
      const places = [write(at('web')), read(at('web/locked/in')), write(at('web/locked/new'))];
      assert.equal(await run(sandbox(...places), 'echo runs'), 'runs\n');
    });

    it('stays as it is in a folder that its owner has made read-only', async () => {
      make('web', 'web/src');
      fs.chmodSync(at('web'), 0o555);
      const places = [write(at('web')), write(at('web/src'))];
      const said = await run(
        sandbox(...places),
        'touch web/src/ok; chmod 755 web; mkdir web/.git && echo escaped',
      );
      // Root makes the folder whatever the mode says.
      assert.match(said, uid === 0 ? /^mkdir.*File exists\n$/ : /^chmod.*Read-only.*\nmkdir.*\n$/);
      assert.deepEqual(fs.readdirSync(at('web/src')), ['ok']);
    });

    describe('with folders of our own', () => {
      beforeEach(() => {
        make('home', 'home/.state', 'home/.state/ours', 'home/.state/ours/in', 'home/dist');
        put('home/.state/ours/token');
        put('home/dist/server.js');
      });
      const own = (): OwnFolders => ({
        covered: [at('home/.state/ours'), at('home/.state/ours/in')],
        readOnly: [at('home/dist')],
        sockets: [],
      });

      it('shows nothing of them and keeps them, below a writable folder', async () => {
        const places = [write(at('home')), write(at('home/dist')), write(at('home/.state/ours/in'))];
        const said = await run(
          sandbox(...places),
          `cd home; ls -A .state/ours; touch .state/ours/x; mv .state y; cat dist/server.js; touch dist/x; touch ok`,
          own(),
        );
        assert.match(said, /^touch.*ours\/x.*Read-only.*\nmv.*busy\nkepttouch.*dist\/x.*Read-only.*\n$/);
      });

      it('shows nothing of them where nothing can be written', async () => {
        assert.match(await run(sandbox(), 'cat home/.state/ours/token', own()), /No such file/);
      });

      it('has no way to a socket of ours', async () => {
        const socket = at('home/.state/in/server.sock');
        make('home/.state/in');
        const server = net.createServer((client) => client.end('hello')).listen(socket);
        await once(server, 'listening');
        fs.chmodSync(socket, 0o777);
        try {
          const script = `import socket; socket.socket(socket.AF_UNIX).connect("${socket}"); print("connected")`;
          const command = `python3 -c '${script}'; mv home/.state/in y; rm ${socket}`;
          const said = await run(sandbox(write(at('home'))), command, { ...own(), sockets: [socket] });
          assert.match(said, /ConnectionRefusedError.*\nmv.*failed.*\nrm.*busy\n$/);
          assert.match(await run(sandbox(write(at('home'))), command), /^connected\n/);
        } finally {
          server.close();
        }
      });

      it('keeps a missing one from being made', async () => {
        const missing: OwnFolders = {
          covered: [at('home/later')],
          readOnly: [at('home/.cache/code')],
          sockets: [],
        };
        assert.match(await run(sandbox(write(at('home'))), 'mkdir home/later', missing), /File exists/);
        assert.match(
          await run(sandbox(write(at('home'))), 'mkdir -p home/.cache/code', missing),
          /Read-only file system/,
        );
        assert.deepEqual((await layoutAs(uid, sandbox(), missing)).mountPoints, []);
      });
    });
  });
}

describeOnLinux('The file system of a sandbox', () => {
  const layout = (...places: SandboxPlace[]) => layoutOf(sandbox(...places), NOTHING_OWN);

  it('follows the most specific place, whatever the order @property', async () => {
    const names = ['a', 'b', '.git'];
    const below = (parents: readonly string[]) =>
      parents.flatMap((parent) => names.map((name) => `${parent}/${name}`));
    const tree = [names, below(names), below(below(names))].flat();
    const folder = fs.realpathSync(fs.mkdtempSync('/tmp/layout-'));
    tree.forEach((name) => fs.mkdirSync(path.join(folder, name)));
    const place = fc.record({
      path: fc.constantFrom(...tree),
      access: fc.constantFrom<'read' | 'write'>('read', 'write'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { maxLength: 8 }), async (places) => {
        const entries = new Map<string, string>();
        const writable = places.filter(({ access }) => access === 'write').map((one) => one.path);
        writable.forEach((one) => entries.set(`${one}/.git`, 'read'));
        places.forEach((one) => entries.set(one.path, 'read'));
        writable.forEach((one) => entries.set(one, 'write'));
        const accessOf = (file: string): string =>
          entries.get(file) ?? (file === '.' ? 'read' : accessOf(path.dirname(file)));
        const expected = tree.filter((one) => accessOf(one) === 'write');

        const asked = sandbox(...places.map((one) => ({ ...one, path: path.join(folder, one.path) })));
        const script = `for f in ${tree.join(' ')}; do touch $f/t 2>/dev/null && rm $f/t && echo $f; done`;
        const said = runIn(await layoutOf(asked, NOTHING_OWN), OWN_USER, script, folder);
        assert.deepEqual(said.split('\n').slice(0, -1), expected);
      }),
    );
    fs.rmSync(folder, { recursive: true });
  });

  it('has devices and processes of its own, whatever the places are', async () => {
    const { mounts } = await layout(write('/dev'), write('/proc'), write('/proc/self'), write('/dev/null'));
    assert.deepEqual(mounts, (await layout()).mounts);
  });

  it('has the shared memory of the machine only if that is a place', async () => {
    const { mounts } = await layout(write('/dev/shm'));
    assert.ok(
      mounts
        .join(' ')
        .includes('--dev /dev --proc /proc --ro-bind /proc/sys /proc/sys --bind /dev/shm /dev/shm'),
    );
  });

  it('does not let root change the settings of the kernel', async () => {
    const said = runIn(await layout(), OWN_USER, 'echo x > /proc/sys/kernel/hostname');
    assert.match(said, /Read-only file system/);
  });

  it('can be writable as a whole', async () => {
    const { mounts } = await layout(write('/'));
    assert.deepEqual(mounts.slice(0, 5), ['--bind', '/', '/', '--dev', '/dev']);
  });

  asRoot('can be writable as a whole for a user who can write nearly nothing', async () => {
    const script = 'touch /tmp/layout-$$ && rm /tmp/layout-$$; mkdir /.git';
    const said = runIn(await layoutAs(65_534, sandbox(write('/'))), 65_534, script);
    assert.match(said, /^mkdir.*Permission denied\n$/);
  });

  it('is refused for a place that is no absolute path', async () => {
    await assertRejects(layout(write('web')), -32602, /not an absolute path: "web"/);
    await assertRejects(layout(write('/a\0b')), -32603, /nul byte/);
  });
});
