import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openPromise } from 'yauzl';
import { packageExtension } from '../rig/commands.js';
import { linksIn } from '../rig/documents/markdown.js';
import { runOwned, temporaryFolder } from '../rig/lifetime.js';
import { root } from '../rig/paths.js';

interface PackedFile {
  readonly mode: number;
  readonly content: Buffer;
}

/** The part of the list of components that the tests read. */
interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly {
      readonly license?: { readonly id: string };
      readonly expression?: string;
    }[];
    readonly externalReferences?: readonly { readonly type: string }[];
  }[];
}

/** Builds the package from a copy of the sources in another folder; resolves with its bytes. */
async function packageElsewhere(): Promise<Buffer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-rebuilt-'));
  const remove = temporaryFolder(folder);
  try {
    const made = /^(?:\.git|\.tools|node_modules|dist|out|test)$|\.vsix$/;
    for (const name of fs.readdirSync(root).filter((entry) => !made.test(entry))) {
      fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
    }
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await runOwned('sh', ['-c', 'chmod -R go= . && umask 077 && exec npm run --silent package'], {
      cwd: folder,
      env: { ...process.env, TZ: 'Pacific/Kiritimati', LC_ALL: 'da_DK.UTF-8' },
    });
    const [vsix] = fs.readdirSync(folder).filter((name) => name.endsWith('.vsix'));
    return fs.readFileSync(path.join(folder, vsix ?? assert.fail('no package')));
  } finally {
    await remove();
  }
}

async function unpack(file: string): Promise<Map<string, PackedFile>> {
  const zip = await openPromise(file);
  const files = new Map<string, PackedFile>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    // A zip file made on Unix has the file's mode in the upper half.
    files.set(entry.fileName, {
      mode: (entry.externalFileAttributes >>> 16) & 0o777,
      content: Buffer.concat(chunks),
    });
  }
  return files;
}

describe('the package', () => {
  let file: string;
  let files: Map<string, PackedFile>;
  const names = (): string[] => [...files.keys()];

  before(async () => {
    file = await packageExtension();
    files = await unpack(file);
  });

  it('has the program, its manifest and the papers', () => {
    const { main } = JSON.parse(files.get('extension/package.json')?.content.toString() ?? '{}') as {
      main?: string;
    };
    assert.ok(main);
    for (const name of [path.posix.join('extension', main), 'extension/LICENSE.txt']) {
      assert.ok(files.has(name), `${name} is not among ${names().join(', ')}`);
    }
    assert.match(
      files.get('extension/dist/THIRD-PARTY-NOTICES.txt')?.content.toString() ?? '',
      /^node-pty 1\.2\.0/m,
    );
  });

  it('has a notice of each program in it', () => {
    const notices = files.get('extension/dist/THIRD-PARTY-NOTICES.txt')?.content.toString() ?? '';
    assert.match(notices, /^node-addon-api \d/m);
  });

  it('has a list of components with each of the notices, and a license for each', () => {
    const sbom = JSON.parse(
      files.get('extension/dist/sbom.cdx.json')?.content.toString() ?? '{}',
    ) as Partial<Sbom>;
    assert.equal(sbom.bomFormat, 'CycloneDX');
    const components = sbom.components ?? [];
    const notices = files.get('extension/dist/THIRD-PARTY-NOTICES.txt')?.content.toString() ?? '';
    const titles = notices.split(`\n${'-'.repeat(80)}\n\n`).map((notice) => notice.split('\n', 1)[0]);
    assert.deepEqual(components.map(({ name, version }) => `${name} ${version}`).sort(), titles.sort());
    for (const { name, licenses, externalReferences = [] } of components) {
      const [first] = licenses;
      assert.ok(first?.license?.id ?? first?.expression, `${name} has no license`);
      // Where it was downloaded from is the business of the machine that built it.
      assert.ok(!externalReferences.some(({ type }) => type === 'distribution'), name);
    }
  });

  it('has the same bytes if it is built in another folder, time zone and language, with another umask', async () => {
    const again = await packageElsewhere();
    assert.ok(fs.readFileSync(file).equals(again), 'the bytes differ');
  });

  it('has nothing else', () => {
    const allowed =
      /^(?:\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(?:(?:dist|media|l10n|docs)\/.*|package(?:\.nls.*)?\.json|(?:readme|changelog|security|contributing)\.md|LICENSE\.txt))$/i;
    assert.deepEqual(
      names().filter((name) => !allowed.test(name)),
      [],
    );
    assert.deepEqual(
      names().filter((name) => /\.(?:pdb|map)$|(?<!\.d)\.ts$|(?:^|\/)(?:src|test|node_modules)\//.test(name)),
      [],
    );
  });

  it('has every file that its documents link to', () => {
    const pages = names().filter((name) => name.endsWith('.md'));
    assert.ok(pages.includes('extension/readme.md') && pages.includes('extension/docs/README.md'));
    const missing = pages.flatMap((page) =>
      linksIn(files.get(page)?.content.toString() ?? '')
        .filter((link) => !link.startsWith('#'))
        .map((link) => path.posix.join(path.posix.dirname(page), link.replace(/#.*/, '')))
        .filter((target) => !files.has(target))
        .map((target) => `${page}: ${target}`),
    );
    assert.deepEqual(missing, []);
  });

  for (const [system, natives] of Object.entries({
    linux: ['pty.node'],
    darwin: ['pty.node', 'spawn-helper'],
    win32: ['conpty.node', 'conpty_console_list.node'],
  })) {
    for (const arch of ['x64', 'arm64']) {
      it(`has the terminal binaries of ${system}-${arch}`, () => {
        const folder = `extension/dist/prebuilds/${system}-${arch}/`;
        const found = names().filter((name) => name.startsWith(folder));
        assert.deepEqual(found.map((name) => name.slice(folder.length)).sort(), natives);
        for (const name of found)
          assert.ok((files.get(name)?.content.length ?? 0) > 1000, `${name} is empty`);
      });
    }
  }

  it('has what node-pty starts by its path on Windows, in one piece', () => {
    for (const name of ['worker/conoutSocketWorker.js', 'conpty_console_list_agent.js']) {
      const script = files.get(`extension/dist/${name}`)?.content.toString();
      assert.ok(script, name);
      assert.doesNotMatch(script, /require\("\.\.?\/[^"]*"\)/);
    }
  });

  it('keeps the modes: the helper that macOS needs can be executed, everything can be read', () => {
    for (const [name, { mode }] of files) {
      // Files that need only be read: git and the umask decide who else may write them here, so that is not checked.
      const wanted = name.endsWith('/spawn-helper') ? 0o755 : 0o444;
      // vsce writes its own two files without a mode.
      if (name.startsWith('extension/')) assert.equal((mode & wanted).toString(8), wanted.toString(8), name);
    }
  });

  it('keeps the file that is loaded at the start small, and has the rest beside it', () => {
    const size = (name: string) => files.get(`extension/dist/${name}`)?.content.length ?? 0;
    assert.ok(size('extension.js') > 0 && size('extension.js') < 10_000, `${size('extension.js')} bytes`);
    assert.ok(size('main.js') > 100_000, `${size('main.js')} bytes`);
    const loadsTerminals = (name: string) =>
      files.get(`extension/dist/${name}`)?.content.toString().includes('build/Release') ?? false;
    assert.deepEqual(['main.js', 'node-pty.js'].map(loadsTerminals), [false, true]);
  });

  it('is under 2 MB', () => {
    const { size } = fs.statSync(file);
    assert.ok(size < 2_000_000, `${size} bytes`);
  });

  it('opens a terminal from its own files alone', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'exec-sessions-vsix-'));
    try {
      for (const [name, { mode, content }] of files) {
        const target = path.join(folder, name);
        fs.mkdirSync(path.dirname(target), { recursive: true });
        fs.writeFileSync(target, content, { mode });
      }
      const script = `
        const pty = require('./node-pty.js');
        const child = pty.spawn('/bin/sh', ['-c', 'test -t 0 && echo from a terminal'], {});
        child.onData((text) => process.stdout.write(text));
        child.onExit(({ exitCode }) => process.exit(exitCode));`;
      const output = execFileSync(process.execPath, ['-e', script], {
        cwd: path.join(folder, 'extension/dist'),
        encoding: 'utf8',
        timeout: 10_000,
      });
      assert.equal(output, 'from a terminal\r\n');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
