import type { Word } from './word.ts';

/** Who may find a repository or a tracker, in the order from everybody to nobody. */
export const visibilities = ['public', 'unlisted', 'private'] as const;
export type Visibility = Word<(typeof visibilities)[number]>;

/** What can be asked of a server. */
export type WantedVisibility = (typeof visibilities)[number];
