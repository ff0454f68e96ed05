/** A link that is safe to show and to follow. */
export type SafeLink =
	| { readonly kind: 'web'; readonly href: string }
	/** Address only: senders cannot plant a subject or attachments. */
	| { readonly kind: 'mail'; readonly href: string };

/** Maximum characters of an address. */
const longestHref = 4096;

/** Blanks, controls and invisible characters in an address only hide its scheme. Emoji have U+FE0F. */
const deceptive = /[\p{Cc}\p{Z}\p{Cf}\u2800\\]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}/u;

const scheme = /^[a-z][a-z0-9+.-]*:/i;

/** A slash, for lists: `~owner/list@host`. Links may write it as `%2F` and the tilde as `%7E` (RFC 6068). */
const mailAddress = /^mailto:(?:[^\s@?#&,;:%<>"'()/]|\/(?!\/)|%2f|%7e)+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

/** ASCII that a sentence puts behind an address (GFM 6.9), with semicolon and apostrophe. */
const sentenceEnd = new Set(".,:;!?'*_~");

/** An address in a text without the signs of the sentence behind it. */
export function withoutSentenceEnd(written: string): string {
	let end = written.length;
	while (sentenceEnd.has(written.charAt(end - 1))) {
		end -= 1;
	}
	return written.slice(0, end);
}

/**
 * The only link policy for remote text. Allows https, http, mail addresses, and links relative to `base`, the web address of
 * the text's source. Rejects everything else: other schemes, `//host`, backslashes, names and passwords in addresses, hidden
 * characters. A relative link never leaves the origin of `base`.
 */
export function safeLink(href: string, base: string): SafeLink | undefined {
	if (href === '' || href.length > longestHref || deceptive.test(href) || /%(?:0[0-9a-f]|1[0-9a-f]|7f)/i.test(href)) {
		return undefined;
	}
	if (/^mailto:/i.test(href)) {
		const plain = href.replaceAll(/%7e/gi, '~').replaceAll(/%2f/gi, '/');
		return mailAddress.test(href) && !plain.startsWith('mailto:/') ? { kind: 'mail', href: plain } : undefined;
	}
	const url = webUrl(href, base);
	return url?.username === '' && url.password === '' ? { kind: 'web', href: url.href } : undefined;
}

function webUrl(href: string, base: string): URL | undefined {
	if (scheme.test(href)) {
		// The URL parser accepts missing slashes, but readers overlook them.
		return /^https?:\/\/[^/]/i.test(href) ? (URL.parse(href) ?? undefined) : undefined;
	}
	const url = href.startsWith('//') ? null : URL.parse(href, base);
	return url && url.origin === URL.parse(base)?.origin ? url : undefined;
}
