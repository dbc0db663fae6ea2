import { TasksInMemory } from '../../core/index.js';
import type { MethodHandlers } from './methodHandlers.js';

/** The methods `task/*`, for the waits of agents that outlast a call and perhaps the client. */
export function taskMethods(): MethodHandlers {
  const tasks = new TasksInMemory();
  return {
    'task/keep': ({ taskId, text, isFinal }) => ({ text: tasks.keep(taskId, text, isFinal) }),
    'task/read': ({ taskId }) => {
      const text = tasks.read(taskId);
      return { ...(text !== undefined && { text }) };
    },
  };
}
