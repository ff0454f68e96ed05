import type { Word } from './word.ts';

/** Visibilities of repositories and trackers, most public first. */
export const visibilities = ['public', 'unlisted', 'private'] as const;
export type Visibility = Word<(typeof visibilities)[number]>;

/** Visibilities that clients may request. */
export type WantedVisibility = (typeof visibilities)[number];
