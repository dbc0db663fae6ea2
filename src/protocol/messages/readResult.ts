import * as z from 'zod/mini';

import { BadAnswerError } from './clientErrors.js';
import { requests, type RequestName, type ResultOf } from './methods.js';

/** @throws BadAnswerError if a server cannot have answered this to that method. */
export function readResult<M extends RequestName>(method: M, answer: unknown): ResultOf<M> {
  const schemas: { readonly [N in RequestName]: { readonly result: z.core.$ZodType<ResultOf<N>> } } =
    requests;
  const result = z.safeParse(schemas[method].result, answer);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new BadAnswerError(method, issue?.path.join('.') ?? '', issue?.message ?? 'it is of another kind');
  }
  return result.data;
}
