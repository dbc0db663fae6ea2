import assert from 'node:assert/strict';

import {
  english,
  type BackendCapabilities,
  type LaunchRequest,
  type TerminalSize,
} from '../../src/core/index.js';
import { SessionList } from '../../src/sessions/list/sessionList.js';
import type { Session } from '../../src/sessions/list/session.js';
import { Pacer } from '../../src/terminal/pacedWriter.js';
import type { PlayerMarks } from '../../src/sessions/viewer/outputMarks.js';
import { SessionViewer } from '../../src/sessions/viewer/sessionViewer.js';
import { Viewers } from '../../src/sessions/viewer/viewers.js';
import { FakeClock } from './fakeClock.js';
import { ScriptedBackend, type ScriptedProcess } from './scriptedBackend.js';
import { until } from './until.js';

export const SIZE: TerminalSize = { columns: 100, rows: 30 };

/** The time after the end of a session, and after another key, until a key acts. */
export const KEY_ACTS_MS = 1_000;

/** Waits until the log has delivered its output, which it does in a later turn. */
export const turn = async () => {
  for (let count = 0; count < 10; count++) {
    await Promise.resolve();
  }
};

/** A list of scripted sessions, and terminals that show them. */
export class ViewerSetup {
  readonly clock = new FakeClock(1_000);
  readonly backend: ScriptedBackend;
  readonly list = new SessionList({ clock: this.clock });
  readonly resized: TerminalSize[] = [];
  /** The sizes of the terminals in which programs were to draw anew. */
  readonly redrawn: TerminalSize[] = [];
  readonly viewers = new Viewers({
    redraw: (_, size) => this.redrawn.push(size),
    resize: (_, size) => this.resized.push(size),
    isElsewhere: (session) => session.process.info().viewedElsewhere === true,
    tell: (session, state) => void session.process.view(state),
  });
  readonly #pacer = new Pacer(this.clock);
  readonly #explained = new Set<string>();

  constructor(capabilities?: BackendCapabilities) {
    this.backend = new ScriptedBackend(this.clock, { ...(capabilities && { capabilities }) });
  }

  async start(request: Partial<LaunchRequest> = {}): Promise<{ session: Session; process: ScriptedProcess }> {
    const session = await this.list.start(
      { id: 'local', label: 'Local', backend: this.backend },
      { argv: ['npm', 'test'], cwd: '/', env: {}, tty: true, origin: { kind: 'user' }, ...request },
    );
    const process = this.backend.processes.at(-1);
    assert.ok(process);
    return { session, process };
  }

  async view(
    session: Session,
    options: {
      fresh?: boolean;
      focused?: boolean;
      size?: TerminalSize | undefined;
      endsWithSession?: boolean;
      marks?: PlayerMarks;
    } = {},
  ) {
    const seen = {
      text: '',
      name: '',
      closed: false,
      exitCode: undefined as number | undefined,
      fixed: undefined as TerminalSize | undefined,
    };
    const viewer = new SessionViewer({
      session,
      fresh: options.fresh ?? false,
      focused: options.focused ?? true,
      endsWithSession: options.endsWithSession ?? false,
      host: {
        write: (text) => (seen.text += text),
        setName: (name) => (seen.name = name),
        close: (exitCode) => Object.assign(seen, { closed: true, exitCode }),
        sizeChanged: () => undefined,
        fixSize: (size) => (seen.fixed = size),
        sessionChanged: () => undefined,
      },
      viewers: this.viewers,
      pacer: this.#pacer,
      clock: this.clock,
      l10n: english,
      marks: () => options.marks,
      runAgain: (old) => this.list.runAgain(old),
      explainFixedSize: (id) => {
        const first = !this.#explained.has(id);
        this.#explained.add(id);
        return first;
      },
    });
    viewer.open('size' in options ? options.size : SIZE);
    await turn();
    const { tty } = session.request;
    if (tty && options.fresh !== true && session.process.info().output.lastSeq > 0) {
      // The end of a replay sets the cursor.
      await until(() => /\u001b\[\d+;\d+H/.test(seen.text));
    }
    return { viewer, seen };
  }
}
