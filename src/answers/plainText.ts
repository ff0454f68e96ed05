const longestReason = 500;

const entities: ReadonlyMap<string, string> = new Map([
	['&lt;', '<'],
	['&gt;', '>'],
	['&quot;', '"'],
	['&#39;', "'"],
	['&#34;', '"'],
	['&nbsp;', ' '],
	['&amp;', '&'],
]);

/** As servers write whom to ask: `Support <support@forge.example>`. */
const mailAddress = /^<[^\s<>@"'=:]+@[^\s<>@"'=:]+>$/;

/** Reasons may hold markup. What is left after taking it away is text, whatever it looks like. */
export function plainText(html: string, token: string | undefined): string {
	// Before the text is cut, so that no half of a token is left, and once more when markup no longer parts it.
	const bare = withoutToken(html, token)
		.slice(0, 4 * longestReason)
		.replaceAll(/<[^<>]{0,200}>/g, (markup) => (mailAddress.test(markup) ? markup : ''))
		.replaceAll(/&(?:lt|gt|quot|amp|nbsp|#39|#34);/g, (entity) => entities.get(entity) ?? entity)
		.replaceAll(/\s+/g, ' ')
		.trim();
	return withoutToken(bare, token).slice(0, longestReason);
}

/** The same text with `[token]` wherever the token stood, in whatever case: hosts are written small. */
export function withoutToken(text: string, token: string | undefined): string {
	return token === undefined || token === ''
		? text
		: text.replaceAll(new RegExp(token.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'gi'), '[token]');
}
