import {
  childVariables,
  type EnvPolicy,
  type HostVariables,
  MARK_VARIABLE,
  type StartParams,
} from '../../core/index.js';

/** Of the variables of the server, only the mark is for the process: by it the server finds what it leaves behind. */
const MARK_ALONE: EnvPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [MARK_VARIABLE],
};

/**
 * Lets a start inherit the variables of this program in place of those of the server, which may have been started by
 * another program, days ago. Without a policy it inherits none anyway.
 *
 * @param host The variables of this program, which is on the machine of the server.
 * @throws ExecError if the policy has too many patterns.
 */
export function withVariablesOf(host: HostVariables, params: StartParams): StartParams {
  const { envPolicy: policy, env: overlay } = params;
  if (policy === undefined) {
    return params;
  }
  const env = childVariables({ host, policy, overlay, windows: process.platform === 'win32' });
  return { ...params, env, envPolicy: MARK_ALONE };
}
