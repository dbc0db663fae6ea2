import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { uriFromPath } from '../../../../src/protocol/index.js';
import { FileHandles } from '../../../../src/server/methods/fileSystem/fileHandles.js';
import { ownFileWork } from '../../../../src/server/methods/fileSystem/fileWork.js';
import { onLinux } from '../../../support/onLinux.js';

const openDescriptors = () => fs.readdirSync('/proc/self/fd').length;

describe('The open files of a connection', () => {
  let file: string;
  beforeEach(() => {
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'es-handles-')), 'file');
    fs.writeFileSync(file, 'content');
  });
  afterEach(() => fs.rmSync(path.dirname(file), { recursive: true }));

  onLinux(
    'are closed with it, also those that are just being opened and those that come too late',
    async () => {
      const handles = new FileHandles(3);
      const open = (handleId: string) => handles.open({ handleId, path: uriFromPath(file) }, ownFileWork);
      const before = openDescriptors();
      await open('open');
      const opening = open('opening');
      handles.end();
      await Promise.allSettled([opening, open('late')]);
      await assert.rejects(handles.readBlock({ handleId: 'open', offset: 0, len: 1 }), { code: -32004 });
      assert.equal(openDescriptors(), before);
    },
  );
});
