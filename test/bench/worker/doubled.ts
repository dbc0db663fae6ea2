/** The functions whose text is doubled, each with the kind of text that is dear for it. */
export const doubled = [
  'maskSecrets',
  'maskArguments',
  'plainText',
  'plainText-line',
  'followLines',
  'search',
  'search-line',
  'filter',
  'filter-open',
  'digest',
  'digest-switches',
  'digest-screens',
  'ports',
  'screen',
] as const;

export type Doubled = (typeof doubled)[number];
