/** The programs that people use to reach other machines, each with a server of ours installed by the first connection. */
export const ENGINES = ['ssh', 'docker', 'podman', 'kubernetes', 'slurm'] as const;

export type EngineKind = (typeof ENGINES)[number];

/** One machine, container, pod or node that an engine reaches. */
export interface Member {
  readonly engine: EngineKind;
  /**
   * For ssh `[user@]host[:port]`, for docker and podman a container, for kubernetes `[namespace/]pod`, for slurm
   * `job[/node]`.
   */
  readonly name: string;
  /** The context of kubectl; by default the current one. */
  readonly context?: string | undefined;
}

/** Members that an engine lists, now and as they come and go. */
export interface EngineQuery {
  readonly engine: EngineKind;
  /**
   * For ssh host names and patterns of the ssh configuration. For docker and podman a filter of `ps`, for kubernetes a
   * selector; both may be empty. For slurm a job.
   */
  readonly members: string;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
}

const HOST =
  /^(?:[A-Za-z0-9._][A-Za-z0-9._-]*@)?(?:[A-Za-z0-9._][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const NAMES: Readonly<Record<EngineKind, RegExp>> = {
  ssh: HOST,
  docker: /^[A-Za-z0-9][\w.-]*$/,
  podman: /^[A-Za-z0-9][\w.-]*$/,
  kubernetes: /^(?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9.-]*$/,
  slurm: /^\d+(?:[_+]\d+)?(?:\/[A-Za-z0-9][A-Za-z0-9.-]*)?$/,
};

/** Whether a member of this engine can have the name. No name that an engine's program reads as an option is one. */
export function isMemberName(engine: EngineKind, name: string): boolean {
  return name.length <= 300 && NAMES[engine].test(name);
}

/** The member as people type it and see it, such as `build.example.com` or `docker db`. */
export function memberText({ engine, name }: Member): string {
  return engine === 'ssh' ? name : `${engine} ${name}`;
}
