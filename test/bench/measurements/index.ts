import type { Measurement } from '../measurement.js';
import { activation } from './activation.js';
import { agents } from './agents.js';
import { commandLine } from './commandLine.js';
import { doubling } from './doubling.js';
import { echo } from './echo.js';
import { ended } from './ended.js';
import { keptOutput } from './keptOutput.js';
import { line, step } from './line.js';
import { loading, sizes } from './loading.js';
import { log } from './log.js';
import { crowd, many } from './many.js';
import { sessionServer } from './sessionServer.js';
import { startPipes, startSandboxed, startTerminal } from './start.js';
import { terminal } from './terminal.js';
import { throughputBlocks, throughputPipes, throughputTerminal } from './throughput.js';
import { tree } from './tree.js';

/** All measurements, in the order of the report. */
export const measurements: readonly Measurement[] = [
  startPipes,
  startTerminal,
  startSandboxed,
  echo,
  throughputPipes,
  throughputBlocks,
  throughputTerminal,
  many,
  crowd,
  sessionServer,
  commandLine,
  keptOutput,
  tree,
  ended,
  log,
  doubling,
  sizes,
  loading,
  agents,
  activation,
  terminal,
  line,
  step,
];

/** @throws Error if there is no measurement of that name. */
export function selectMeasurements(names: readonly string[]): readonly Measurement[] {
  if (names.length === 0) {
    return measurements.filter(({ onRequest }) => onRequest !== true);
  }
  return names.map((name) => {
    const found = measurements.find((measurement) => measurement.name === name);
    if (found === undefined) {
      const all = measurements.map((measurement) => measurement.name).join(', ');
      throw new Error(`No such measurement: ${name}. There are ${all}.`);
    }
    return found;
  });
}
