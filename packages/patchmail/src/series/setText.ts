import { dateMs } from '@forge-desk/base/dateMs.ts';
import { messageOf } from '../mail/envelope.ts';
import { messageIdsIn } from '../mail/mailHead.ts';
import { plainHeaders } from '../mail/plainHead.ts';
import { decodeWords } from '../mail/encodedWords.ts';
import { senderIn } from '../mail/onlySender.ts';

/** Begins the name of a sender behind the address of a list, which anyone can take. */
const byList = 'via ';
const longestHeader = 1000;

/** Names of the sender in a `From` header: the address, or the words of a list that rewrote it. Empty in doubt. */
export function senderNames(header: string): readonly string[] {
	const address = senderIn(header)?.address.toLowerCase();
	if (address !== undefined) {
		return [address];
	}
	const written = decodeWords(header.slice(0, longestHeader)).trim();
	const isByList = /^"?[^"<>@,;]{1,200}\svia\s[^"<>@,;]{1,200}"?\s?<[^<>@\s]{1,200}@[^<>@\s]{1,200}>$/i.test(written);
	return isByList ? [`${byList}${written.toLowerCase()}`] : [];
}

/** False for a sender behind the address of a list. */
export function isCertainSender(name: string): boolean {
	return !name.startsWith(byList);
}

/** True if a text has a diff. Reads the text alone, so a quoted diff and a prose line such as `--- cut` do not count. */
export function hasDiffLines(text: string): boolean {
	return /^(?:diff --git \S|@@ -\d|--- \S[^\n]*\n\+\+\+ \S)/m.test(text);
}

/** Address in the `From:` line at the head of a text, which names the commit's author; `undefined` without one. */
export function authorAbove(text: string): string | undefined {
	const [, written] = /^\s*From:[ \t]{0,9}([^\r\n]{1,1000})/i.exec(text.slice(0, 2000)) ?? [];
	return written === undefined ? undefined : senderIn(written)?.address.toLowerCase();
}

/** Characters of a raw mail to search. A longer text before a diff is rare. */
const searched = 200_000;

/** Ancestors of a mail to look for. */
const mostAbove = 20;

/**
 * The same two facts of a raw mail without a parse, and some of its head, which is empty if unusual. A diff that is not
 * found may still be in a part or in an encoding that this does not read.
 */
export function glanceAt(envelope: string): {
	/** The only `From` header. */
	readonly from: string;
	readonly hasDiff: boolean | undefined;
	readonly author: string | undefined;
	/** `Date` header, if valid. */
	readonly statedMs: number | undefined;
	/** Message-IDs of the mails above, the answered one first. */
	readonly above: readonly string[];
} {
	const start = envelope.slice(0, searched);
	// Converting the line ends of the bodies of a whole series blocks the editor.
	const blank = /\n\r?\n/.exec(start);
	const message = messageOf(blank === null ? start : start.slice(0, blank.index + blank[0].length));
	const end = message.indexOf('\n\n');
	const headers = plainHeaders(message.slice(0, end === -1 ? message.length : end)) ?? [];
	const valueOf = (name: string): string => headers.find((header) => header.name === name)?.value ?? '';
	const sentMs = dateMs(valueOf('date'));
	const above = [...messageIdsIn(valueOf('in-reply-to')), ...messageIdsIn(valueOf('references')).toReversed()];
	const from = headers.filter(({ name }) => name === 'from');
	const body = blank === null ? '' : start.slice(blank.index + blank[0].length);
	const isBase64 = /base64/i.test(valueOf('content-transfer-encoding'));
	const text = isBase64 ? Buffer.from(body, 'base64').toString('latin1') : body;
	const isPlain = headers.length > 0 && !/multipart/i.test(valueOf('content-type')) && envelope.length < searched;
	return {
		from: from.length === 1 ? (from[0]?.value ?? '') : '',
		hasDiff: hasDiffLines(text) || (isPlain ? false : undefined),
		author: authorAbove(text),
		statedMs: Number.isNaN(sentMs) ? undefined : sentMs,
		above: [...new Set(above)].slice(0, mostAbove),
	};
}
