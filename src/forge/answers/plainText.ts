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

/** Contact in a server message: `Support <support@forge.example>`. */
const mailAddress = /^<[^\s<>@"'=:]+@[^\s<>@"'=:]+>$/;

/** Strips the markup of a server's reason. The rest is plain text. */
export function plainText(html: string, token: string | undefined): string {
	// Before truncation, which could leave half a token, and again after markup no longer splits it.
	const bare = withoutToken(html, token)
		.slice(0, 4 * longestReason)
		.replaceAll(/<[^<>]{0,200}>/g, (markup) => (mailAddress.test(markup) ? markup : ''))
		.replaceAll(/&(?:lt|gt|quot|amp|nbsp|#39|#34);/g, (entity) => entities.get(entity) ?? entity)
		.replaceAll(/\s+/g, ' ')
		.trim();
	return withoutToken(bare, token).slice(0, longestReason);
}

/** Replaces the token with `[token]`, ignoring case: hosts are lower case. */
export function withoutToken(text: string, token: string | undefined): string {
	return token === undefined || token === ''
		? text
		: text.replaceAll(new RegExp(token.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'gi'), '[token]');
}
