import { dateMs } from '@forge-desk/base/dateMs.ts';
import { decodeWords } from './encodedWords.ts';
import { listCautions, senderCautions } from './senderCautions.ts';
import type { MailHeader, MailPerson, ReadableMail } from './readableMail.ts';

export const mostHeaders = 200;

/**
 * The message ids of a thread header, without the comments and phrases around them (RFC 5322, 3.6.4 and 4.5.4). Some
 * programs write ids as encoded words.
 */
export function messageIdsIn(value: string | undefined): readonly string[] {
	const ids: string[] = [];
	const outside: string[] = [];
	let depth = 0;
	for (const [token] of decodeWords(value ?? '').matchAll(/<[^<>\s]+>|\\.|[()]/g)) {
		if (token.startsWith('<')) {
			ids.push(token);
			outside.push(...(depth === 0 ? [token] : []));
		} else {
			depth = Math.max(0, depth + (token === '(' ? 1 : token === ')' ? -1 : 0));
		}
	}
	// An open comment ends nowhere, so it hides nothing.
	return depth === 0 ? outside : ids;
}

/** Parsed headers of a mail. */
export interface HeadParts {
	/** All of them. */
	readonly headers: readonly MailHeader[];
	readonly people: Readonly<Record<'from' | 'to' | 'cc' | 'replyTo', readonly MailPerson[]>>;
	readonly subject: string;
}

/** Everything of a mail but its content. */
export function mailHead({
	headers,
	people,
	subject,
}: HeadParts): Omit<ReadableMail, 'body' | 'text' | 'isFlowed' | 'attachments' | 'doubts' | 'gitPatch' | 'toGit'> {
	const messageId = headerValue(headers, 'message-id');
	const date = headerValue(headers, 'date');
	const sentMs = date === undefined ? Number.NaN : dateMs(date);
	return {
		...people,
		date,
		dateMs: Number.isNaN(sentMs) ? undefined : sentMs,
		subject,
		messageId: messageIdsIn(messageId)[0] ?? messageId,
		inReplyTo: headerValue(headers, 'in-reply-to'),
		references: messageIdsIn(headerValue(headers, 'references')),
		headers: headers.slice(0, mostHeaders),
		cautions: [
			...senderCautions(people.from, headerValue(headers, 'from') ?? ''),
			...listCautions(people, headerValue(headers, 'x-original-from')),
		],
	};
}

/** The first header of a name. */
export function headerValue(headers: readonly MailHeader[], name: string): string | undefined {
	return headers.find((header) => header.name === name)?.value;
}

/** Text with neither sender nor subject is no mail. */
export function isHead(headers: readonly MailHeader[]): boolean {
	return headers.some(({ name }) => name === 'from' || name === 'subject');
}
