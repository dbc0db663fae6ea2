import type { Session, SessionList } from '../../sessions/list/index.js';
import type { EngineNode, EnvironmentNode, GroupNode, NoteNode, SessionNode } from './nodes.js';

/** The nodes of the tree: the same object each time, since VS Code compares elements by identity. */
export class NodeBook {
  readonly #list: Pick<SessionList, 'get'>;
  /** Sessions by their ids. */
  readonly #sessions = new Map<string, SessionNode>();
  readonly #environments = new Map<string, EnvironmentNode>();
  readonly #engines = new Map<string, EngineNode>();
  readonly #notes = new Map<string, NoteNode>();
  /** Groups by their keys. */
  readonly #groups = new Map<string, GroupNode>();

  constructor(list: Pick<SessionList, 'get'>) {
    this.#list = list;
  }

  session(session: Session): SessionNode {
    const node = this.#sessions.get(session.id) ?? { kind: 'session', session };
    // Only while it is in the list: another one may get its id later.
    if (this.#list.get(session.id) === node.session) {
      this.#sessions.set(session.id, node);
    }
    return node;
  }

  forget({ id }: Session): void {
    this.#sessions.delete(id);
  }

  environment(id: string): EnvironmentNode {
    const node = this.#environments.get(id) ?? { kind: 'environment', id };
    this.#environments.set(id, node);
    return node;
  }

  engine(id: string): EngineNode {
    const node = this.#engines.get(id) ?? { kind: 'engine', id };
    this.#engines.set(id, node);
    return node;
  }

  group(key: string, environment: string | undefined): GroupNode {
    const node = this.#groups.get(key) ?? { kind: 'group', key, environment };
    this.#groups.set(key, node);
    return node;
  }

  /** A group that VS Code has; undefined for any other. */
  knownGroup(key: string): GroupNode | undefined {
    return this.#groups.get(key);
  }

  /** The row with this id: that of a session in the list, or a note below the parent. */
  row(id: string, parent: NoteNode['parent'] | undefined): SessionNode | NoteNode | undefined {
    const session = this.#list.get(id);
    if (session !== undefined) {
      return this.session(session);
    }
    const note = this.#notes.get(id) ?? (parent && { kind: 'note' as const, id, parent });
    if (note === undefined || !id.startsWith('note:')) {
      return undefined;
    }
    this.#notes.set(id, note);
    return note;
  }
}
