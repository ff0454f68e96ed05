import type { DraftComment } from './reviewDraft.ts';

/** Id prefix of unsaved text in a comment box. */
const typedPrefix = 'typed-';

/** Id of the unsaved text while editing a comment. */
export function typedId(id: string): string {
	return `${typedPrefix}${id}`;
}

/** Id of the comment after saving: the edited one, or a new one. */
export function addedId(id: string): string {
	return id.replace(new RegExp(`^(?:${typedPrefix})+`), '');
}

/** True for unsaved text: stored and shown but not sent, because it may be unfinished. */
export function isOnlyTyped({ id }: Pick<DraftComment, 'id'>): boolean {
	return id.startsWith(typedPrefix);
}
