import type { DraftComment } from '../../../review/reviewDraft.ts';

/** Begins the ids of what was typed into a comment box and never added. */
export const typedPrefix = 'typed-';

/** What was typed and never added is kept and shown, and not sent: nobody said that it is whole. */
export function isOnlyTyped({ id }: Pick<DraftComment, 'id'>): boolean {
	return id.startsWith(typedPrefix);
}
