import type { Member } from '../../core/index.js';
import type { ListMembers } from '../../sessions/tree/index.js';
import { checkTrust } from '../sessionStarter.js';
import { usersVariables } from './connectRemote.js';

/** Lists members with the program of the engine, which an untrusted workspace must not run. */
export function memberLister(isTrusted: () => boolean): ListMembers {
  return async ({ kind: engine, members, context, namespace }, signal) => {
    checkTrust(isTrusted);
    const { listMembers } = await import('../../engines/index.js');
    return listMembers({ engine, members, context, namespace }, { env: usersVariables(), signal });
  };
}

/** The machines that people are offered when they add one. */
export async function offerMembers(signal: AbortSignal): Promise<readonly Member[]> {
  const { offeredMembers } = await import('../../engines/index.js');
  return offeredMembers({ env: usersVariables(), signal });
}
