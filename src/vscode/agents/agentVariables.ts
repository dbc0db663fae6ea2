/**
 * What programs on pipes are told when an agent reads them: no colours, and nobody who would turn the pages. In a
 * terminal they are told what they always are.
 */
export function agentVariables(tty: boolean): Readonly<Record<string, string>> {
  return tty ? {} : { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GH_PAGER: 'cat' };
}
