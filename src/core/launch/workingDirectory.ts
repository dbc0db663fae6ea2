/**
 * The current directory of this program. If that has been removed, the path by which the shell went there, so that an
 * error can name it.
 */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD = '' } = process.env;
    return PWD.startsWith('/') ? PWD : '/(removed)';
  }
}
