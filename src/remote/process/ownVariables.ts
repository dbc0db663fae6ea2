import {
  childVariables,
  type EnvPolicy,
  type HostVariables,
  MARK_VARIABLE,
  type StartParams,
} from '../../core/index.js';

/** The server's variables are not for the process, except the mark: by it the server finds what the process leaves. */
const MARK_ALONE: EnvPolicy = {
  inherit: 'all',
  ignoreDefaultExcludes: true,
  exclude: [],
  set: {},
  includeOnly: [MARK_VARIABLE],
};

/**
 * Lets a start inherit the variables of this program in place of the server's; another program may have started the
 * server days ago. Without a policy it inherits no variables anyway.
 *
 * @param host The variables of this program, which is on the server's machine.
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
