import * as z from 'zod/mini';

/** Building blocks of the schemas of several methods. */

export const nullish = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));
/** A count of up to 64 bits. Beyond 2^53 the last bits are lost. */
const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= 2 ** 64;
export const count = z.number().check(z.refine(isCount, 'it has to be a whole number of 64 bits, from 0 on'));
/** Milliseconds since 1970, in the range of JavaScript's dates. */
export const time = z.number().check(z.refine((value) => Math.abs(value) <= 8.64e15, 'it has to be a time'));
export const text = z.string();
export const empty = z.object({});
export const processId = z.object({ processId: text });
export const stream = z.enum(['stdout', 'stderr', 'pty']);
/** The size of a terminal in cells; the server checks the range. */
export const size = z.object({ columns: z.number(), rows: z.number() });
export const variables = z.record(text, text);
export const metadata = z.record(text, z.unknown());

export const envPolicy = z.object({
  inherit: z.enum(['core', 'all', 'none']),
  ignoreDefaultExcludes: z.boolean(),
  exclude: z.array(text),
  set: variables,
  includeOnly: z.array(text),
});

/** The hard limits have the letters and the units of `ulimit`; null is no limit. */
export const inherited = z.object({ umask: count, hardLimits: z.record(text, z.nullable(count)) });

/** A server that cannot enforce a `sandbox` refuses it. */
export const sandbox = nullish(z.unknown());
/** Ours: the sandbox of a process, for other clients. Paths are file: URIs. */
export const sandboxBounds = z.object({
  places: z.array(z.object({ path: text, access: z.enum(['read', 'write']) })),
  network: z.boolean(),
});
export const flag = nullish(z.boolean());
export const followSymlinks = flag;

type Made<M extends Readonly<Record<string, () => unknown>>> = {
  readonly [N in keyof M]: ReturnType<M[N]>;
};

/**
 * Schemas that are made when they are first needed. Making all of them took a tenth of the time of a short command,
 * which uses six.
 */
export function whenUsed<M extends Readonly<Record<string, () => z.core.$ZodType>>>(makers: M): Made<M> {
  const schemas = {};
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(schemas, name, {
      get: () => {
        const value = make();
        Object.defineProperty(schemas, name, { value });
        return value;
      },
      enumerable: true,
      configurable: true,
    });
  }
  return schemas as Made<M>;
}

/** A method with the schemas of its parameters and its result. */
export const shape = <P extends z.core.$ZodType, R extends z.core.$ZodType>(
  params: () => P,
  result: () => R,
) => whenUsed({ params, result });
