/**
 * How much is tested. The end of a title says where the test belongs: `@all` in `npm run test:all`, `@long` in
 * `npm run test:long`, and all others in `npm test`. Tests with `@property` run in `npm test` with few generated
 * inputs, and again in `npm run test:all` with many.
 */
export type Level = 'test' | 'all' | 'long';

interface Selection {
  /** The full titles of its tests. */
  readonly titles: RegExp;
  /** How many inputs fast-check generates for a property. */
  readonly propertyRuns: number;
  /** A stage in which no test or hook has ended for so long is cut off. */
  readonly silenceMs: number;
  /** The limit of a test, which comes before that of silence, so that the test is named as failed. */
  readonly testMs: number;
}

const usual = { silenceMs: 180_000, testMs: 170_000 } as const;

export const levels: Readonly<Record<Level, Selection>> = {
  test: { titles: /^(?![^]*@(?:all|long)\b)/, propertyRuns: 10, ...usual },
  all: { titles: /^(?![^]*@long\b)[^]*@(?:all|property)\b/, propertyRuns: 100, ...usual },
  long: { titles: /@long\b/, propertyRuns: 1_000, silenceMs: 1_200_000, testMs: 1_190_000 },
};
