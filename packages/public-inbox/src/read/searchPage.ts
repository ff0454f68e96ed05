import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import { decodedText, textOfHtml } from './htmlText.ts';
import { bracketed } from './messageId.ts';

/** A mail in an answer of search. */
export interface SearchRow {
	/** With angle brackets. */
	readonly messageId: string;
	readonly subject: string;
	/** The sender's name; empty if the row has none. */
	readonly author: string;
	/** By the mail's own Date header, cut to the minute. `undefined`: the row has no date. */
	readonly dateMs: number | undefined;
}

/** A page of search. */
export interface SearchPage {
	readonly rows: readonly SearchRow[];
	/** Places from 0 in the whole answer, by the page's own count. */
	readonly from: number;
	/** Behind the last place. */
	readonly to: number;
	/** Number of all hits. */
	readonly total: number;
	/** The archive estimates the total until the last page. */
	readonly isEstimate: boolean;
	/** Places on this page without a row here. Each hides a mail until another answer explains it. */
	readonly missing: readonly number[];
}

/** A row begins with its place: `12. <b><a href="id/">subject</a></b>`. The second line has author and date. */
const rowStart = /(\d{1,9})\.\s*(?:<b>\s*)?<a\s[^<>]{0,300}?href="([^"<>]{0,9000})"[^<>]{0,300}>([^<]*)<\/a>/g;
const byLine = /-\s+by\s(.*)\s@\s+(\d{4,5})-(\d\d)-(\d\d)\s+(\d{1,2}):(\d\d)\sUTC/;
const authorOnly = /-\s+by\s(.*)$/m;
const percent = /\[\d{1,3}%\]\s*$/;
const count = /\bResults\s+(\d{1,9})-(\d{1,9})\s+of\s+(~?)(\d{1,9})/;
const noMore = /\bNo more results, only\s+(\d{1,9})/;

/** Reads a page of search. `undefined`: the page has no count, so it is no page of search. */
export function readSearchPage(body: Uint8Array): SearchPage | undefined {
	const html = decodedText(body);
	// Subjects and names above it may look like a count. They have no markup.
	const foot = html.slice(Math.max(html.lastIndexOf('<pre id=t>'), 0));
	const end = noMore.exec(foot);
	const [, first, last, tilde, all] = count.exec(foot) ?? [];
	if (first === undefined) {
		const total = Number(end?.[1]);
		return end ? { rows: [], from: total, to: total, total, isEstimate: false, missing: [] } : undefined;
	}
	const from = Math.max(Number(first) - 1, 0);
	const to = Math.min(Number(last), from + mostPlaces);
	const starts = [...html.matchAll(rowStart)];
	const placed = new Map<number, SearchRow>();
	for (const [at, found] of starts.entries()) {
		const place = Number(found[1]) - 1;
		const end = found.index + found[0].length;
		const row =
			place < from || place >= to || placed.has(place)
				? undefined
				: readRow(found, html.slice(end, Math.min(starts[at + 1]?.index ?? html.length, end + longestLine)));
		if (row) {
			placed.set(place, row);
		}
	}
	const places = Array.from({ length: Math.max(to - from, 0) }, (_, at) => from + at);
	return {
		rows: places.flatMap((place) => placed.get(place) ?? []),
		from,
		to,
		total: Number(all),
		isEstimate: tilde === '~',
		missing: places.filter((place) => !placed.has(place)),
	};
}

/** An estimated total may be too low. Behind the last hit, an answer ends where it begins. */
export function isLastPage({ to, total, isEstimate }: SearchPage, from: number): boolean {
	return to <= from || (to >= total && !isEstimate);
}

/** Archives send at most 200 rows. A page that counts more lies about itself. */
const mostPlaces = 1000;
/** Longer names are cut. Patterns of an endless line would take minutes. */
const longestLine = 1024;

function readRow([, , href = '', subject = '']: readonly string[], behind: string): SearchRow | undefined {
	const messageId = idInHref(textOfHtml(href));
	if (messageId === undefined) {
		return undefined;
	}
	const [, author, year, month, day, hour, minute] = byLine.exec(behind) ?? [];
	const dateMs =
		author === undefined
			? undefined
			: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
	return {
		messageId,
		subject: textOfHtml(subject),
		author: textOfHtml(author ?? (authorOnly.exec(behind)?.[1] ?? '').replace(percent, '')).trim(),
		dateMs,
	};
}

/** The Message-ID in a link to a mail, relative to the inbox: `a%2Fb@c/`. */
export function idInHref(href: string): string | undefined {
	const bare = decodedPart(/^([^/?#]+)\/?(?:[?#].*)?$/.exec(href)?.[1] ?? '');
	return bare === undefined || bare === '' ? undefined : bracketed(readAgain(bare));
}

/** Archives take the bytes of a Message-ID for Latin-1 in links, and find it by its UTF-8 only. */
function readAgain(id: string): string {
	if (/^[\0-\x7f]*$/.test(id) || /[^\0-\xff]/.test(id)) {
		return id;
	}
	try {
		const bytes = Uint8Array.from(id, (sign) => sign.charCodeAt(0));
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return id;
	}
}
