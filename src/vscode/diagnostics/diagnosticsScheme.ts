/** The scheme of the address of the report for those who look into a problem. */
export const DIAGNOSTICS_SCHEME = 'exec-sessions-diagnostics';
