/** A longer text only makes the search slow. */
export const longestPhrase = 120;

/** Mails whose patch changes a file with these words in its path, in this order. */
export function fileQuery(path: string): string {
	return `dfn:${phrase(path) ?? '""'}`;
}

/** Words in this order. Signs between them do not count. */
export function phrase(text: string): string | undefined {
	const words = text
		.slice(0, longestPhrase)
		.replace(text.length > longestPhrase ? /\S*$/ : /$/, '')
		.replaceAll(/["\p{Cc}\s]+/gu, ' ')
		.trim();
	return /[\p{L}\p{N}]/u.test(words) ? `"${words}"` : undefined;
}
