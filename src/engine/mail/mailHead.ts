import { listCautions, senderCautions } from './senderCautions.ts';
import type { MailHeader, MailPerson, ReadableMail } from './readableMail.ts';

export const mostHeaders = 200;
const bracketedId = /<[^<>\s]+>/g;

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
	const date = headerValue(headers, 'date');
	const dateMs = date === undefined ? Number.NaN : Date.parse(date);
	return {
		...people,
		date,
		dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
		subject,
		messageId: headerValue(headers, 'message-id'),
		inReplyTo: headerValue(headers, 'in-reply-to'),
		references: headerValue(headers, 'references')?.match(bracketedId) ?? [],
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
