import type { DraftComment } from './reviewDraft.ts';

/** Begins the ids of what was typed into a comment box and never added. */
const typedPrefix = 'typed-';

/** What is typed while this comment is edited. */
export function typedId(id: string): string {
	return `${typedPrefix}${id}`;
}

/** What was typed becomes this comment once it is added: the one that was edited, else a new one. */
export function addedId(id: string): string {
	return id.replace(new RegExp(`^(?:${typedPrefix})+`), '');
}

/** What was typed and never added is kept and shown, and not sent: nobody said that it is whole. */
export function isOnlyTyped({ id }: Pick<DraftComment, 'id'>): boolean {
	return id.startsWith(typedPrefix);
}
