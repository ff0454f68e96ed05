/** Any mail. Search takes no `NOT` alone, and lists here know no `z:`. */
export const everyMail = 'd:19700101..';
/** A longer text only makes the search slow. */
export const longestPhrase = 120;

/**
 * Mails whose patch changes a file with these words in its path, in this order. The end of a long path names the file.
 * `undefined` for a path without words: an empty phrase would make words of the terms around it.
 */
export function fileQuery(path: string): string | undefined {
	const words = phrase(path.length > longestPhrase ? path.slice(-longestPhrase).replace(/^[\p{L}\p{N}_]+/u, '') : path);
	return words === undefined ? undefined : `dfn:${words}`;
}

/** Words in this order. Signs between them do not count. */
export function phrase(text: string): string | undefined {
	const words = text
		.slice(0, longestPhrase)
		.replace(text.length > longestPhrase ? /[\p{L}\p{N}_]*$/u : /$/, '')
		.replaceAll(/["\p{Cc}\s]+/gu, ' ')
		.trim();
	return /[\p{L}\p{N}]/u.test(words) ? `"${words}"` : undefined;
}

/** The program's own terms in the words of archives; those of a user as they are. */
export function queryOf(terms: string): string {
	return terms
		.replace(/^$/, everyMail)
		.replace(/^is:reply$/, 's:re:')
		.replace(/^message-id:(?=\S+$)/, 'm:')
		.replace(/^from:(?=\S+@\S+$)/, 'f:');
}
