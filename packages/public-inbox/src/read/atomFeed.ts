import { decodedText, textOfHtml } from './htmlText.ts';
import { idInHref, type SearchRow } from './searchPage.ts';

/** A mail in a feed: the newest mails of an inbox, or the hits of a search. */
export interface FeedEntry extends SearchRow {
	/** The sender's address; empty if the feed has none. */
	readonly address: string;
	/** The answered mail, with angle brackets. */
	readonly parentId: string | undefined;
}

/** Of an entry, before its content. */
const longestHead = 16 * 1024;

/** Reads the whole entries of a feed, in its order. `undefined`: this is no feed. */
export function readFeed(body: Uint8Array): readonly FeedEntry[] | undefined {
	const xml = decodedText(body);
	if (!/^\s*<\?xml[^>]*>\s*<feed\s/.test(xml)) {
		return undefined;
	}
	return xml.split('<entry>').flatMap((entry, at) => {
		if (at === 0 || !entry.includes('</entry>')) {
			return [];
		}
		// The content has texts of strangers, the parts above it do not.
		const head = entry.slice(0, longestHead).split('<content', 1)[0] ?? '';
		const messageId = idInAddress(/<link\s+href="([^"]*)"/.exec(head)?.[1]);
		if (messageId === undefined) {
			return [];
		}
		const dateMs = Date.parse(part(head, 'updated'));
		return {
			messageId,
			subject: part(head, 'title'),
			author: part(head, 'name'),
			address: part(head, 'email'),
			dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
			parentId: idInAddress(/<thr:in-reply-to\s[^<>]*?href="([^"]*)"/.exec(head)?.[1]),
		};
	});
}

function part(head: string, name: string): string {
	return textOfHtml(new RegExp(`<${name}(?:\\s[^<>]*)?>([^<]*)</${name}>`).exec(head)?.[1] ?? '');
}

/** Links of feeds are whole addresses, with the Message-ID as the last step. */
function idInAddress(address: string | undefined): string | undefined {
	const last =
		textOfHtml(address ?? '')
			.replace(/\/$/, '')
			.split('/')
			.at(-1) ?? '';
	return last === '' ? undefined : idInHref(last);
}
