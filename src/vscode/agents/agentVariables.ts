/**
 * The variables for programs on pipes that an agent reads: no colours, and no pager, since nobody would turn the pages.
 * Programs in a terminal get no such variables.
 */
export function agentVariables(tty: boolean): Readonly<Record<string, string>> {
  return tty ? {} : { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GH_PAGER: 'cat' };
}
