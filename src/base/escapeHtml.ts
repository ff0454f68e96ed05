const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
	// Testing is much faster than replacing, and most texts need no escape.
	return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character) : text;
}
