import { never } from '../../src/core/index.js';
import type { Place } from '../../src/sessions/environments/index.js';
import type { ExecEnvironment } from '../../src/sessions/list/index.js';

/** This machine with a backend that is always connected. */
export function residentPlace(environment: ExecEnvironment): Place {
  const { id, label, backend } = environment;
  return {
    id,
    open: environment,
    onDidChange: never,
    snapshot: () => ({ id, label, kind: 'local', target: '', state: backend.connection, removed: false }),
    connect: () => Promise.resolve(environment),
    disconnect: () => Promise.resolve(),
    dispose: () => undefined,
  };
}
