import { isMemberName } from '../../core/index.js';
import type { EngineDefinition, EnvironmentDefinition } from '../list/index.js';

/** The id of a member of an engine as an environment. Ids of the settings have no slash. */
export function memberId(engineId: string, name: string): string {
  return `${engineId}/${name}`;
}

/** The id of the engine that an environment is a member of; undefined for an environment of the settings. */
export function engineIdOf(id: string): string | undefined {
  const end = id.indexOf('/');
  return end < 0 ? undefined : id.slice(0, end);
}

/** The environment that a member of one of these engines is, whether it is listed now or not. */
export function memberDefinition(
  id: string,
  engines: readonly EngineDefinition[],
): EnvironmentDefinition | undefined {
  const engine = engines.find((one) => one.id === engineIdOf(id));
  const target = id.slice(id.indexOf('/') + 1);
  if (engine === undefined || !isMemberName(engine.kind, target)) {
    return undefined;
  }
  const { kind, context, cwd, id: engineId } = engine;
  return {
    ...{ id, name: target, kind, target, engineId },
    ...(context !== undefined && { context }),
    ...(cwd !== undefined && { cwd }),
  };
}
