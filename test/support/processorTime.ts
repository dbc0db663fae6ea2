/**
 * The processor time that this process takes for some work, in milliseconds. Other programs of a busy machine do not
 * count, so a bound that tells a square from a line holds there as well.
 */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
