import type { ExecSessionsApi } from '../api/exec-sessions.js';
import type { Rest } from './rest.js';

/** The public API. The rest is loaded at the first use of any member except the version. */
export function lazyApi(rest: Rest): ExecSessionsApi {
  const api = () => rest.load().api;
  return Object.freeze<ExecSessionsApi>({
    version: 1,
    start: async (options) => api().start(options),
    environments: () => api().environments(),
    list: () => api().list(),
    get: (id) => api().get(id),
    onDidStart: (...args) => api().onDidStart(...args),
    onDidChange: (...args) => api().onDidChange(...args),
    onDidExit: (...args) => api().onDidExit(...args),
    onDidEnd: (...args) => api().onDidEnd(...args),
    onDidRemove: (...args) => api().onDidRemove(...args),
  });
}
