const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text as it may stand in HTML, between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
	// Most texts have nothing to escape, and looking is much quicker than replacing.
	return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character) : text;
}
