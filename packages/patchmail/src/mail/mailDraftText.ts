import { oneLine } from './encodeWords.ts';
import { plainAddresses } from './plainAddresses.ts';
import type { MailPerson } from './readableMail.ts';
import { isSendable, peopleText } from './writtenAddress.ts';

/** A mail as somebody writes it, its headers above an empty line. */
export interface MailDraftParts {
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	readonly subject: string;
	readonly body: string;
}

/** The fault that keeps a text from being a mail. */
export type MailDraftFault =
	/** Nobody to send it to. */
	| { readonly kind: 'nobody' }
	/** `text`: the invalid address in a line of people. */
	| { readonly kind: 'badPeople'; readonly text: string }
	/** A line above the first empty one that is no allowed header. */
	| { readonly kind: 'badHeader'; readonly text: string }
	/** A header that may occur once. */
	| { readonly kind: 'twice'; readonly text: string }
	| { readonly kind: 'noSubject' }
	| { readonly kind: 'noText' };

/** The text that `mailDraftOf` reads. */
export function mailDraftText({ to, cc, subject, body }: MailDraftParts): string {
	const head = [`To: ${peopleText(to)}`, `Cc: ${peopleText(cc)}`, `Subject: ${oneLine(subject)}`];
	return `${head.join('\n')}\n\n${body}`;
}

/** Of such a text, the line of the subject, from 0. */
export const subjectLine = 2;

/** Reads a mail that somebody wrote. */
export function mailDraftOf(text: string): MailDraftParts | MailDraftFault {
	const read = headedMailOf(text, []);
	return 'kind' in read ? read : read.mail;
}

/** A written mail, with the other headers above its text. */
export interface HeadedMail {
	readonly mail: MailDraftParts;
	/** By their names in small letters. */
	readonly others: ReadonlyMap<string, string>;
}

/** The same with other headers, each at most once. `names`: in lower case. */
export function headedMailOf(text: string, names: readonly string[]): HeadedMail | MailDraftFault {
	const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
	const end = lines.findIndex((line) => line.trim() === '');
	const fields = fieldsIn(end === -1 ? lines : lines.slice(0, end), names);
	if ('kind' in fields) {
		return fields;
	}
	const [to, cc] = [peopleIn(fields.to), peopleIn(fields.cc)];
	if (!to || !cc) {
		return { kind: 'badPeople', text: to ? fields.cc : fields.to };
	}
	const body = end === -1 ? '' : lines.slice(end + 1).join('\n');
	if (to.length === 0) {
		return { kind: 'nobody' };
	}
	if (fields.subject === '') {
		return { kind: 'noSubject' };
	}
	return body.trim() === ''
		? { kind: 'noText' }
		: { mail: { to, cc, subject: fields.subject, body }, others: fields.others };
}

interface HeadFields {
	readonly to: string;
	readonly cc: string;
	readonly subject: string;
	readonly others: ReadonlyMap<string, string>;
}

function fieldsIn(lines: readonly string[], names: readonly string[]): HeadFields | MailDraftFault {
	const fields = { to: '', cc: '', subject: '' };
	const others = new Map<string, string>();
	for (const line of lines) {
		const [, written = '', value = ''] = /^([a-z-]+):([^]*)/i.exec(line) ?? [];
		const name = written.toLowerCase();
		switch (name) {
			case 'to':
				fields.to = [fields.to, value.trim()].filter(Boolean).join(', ');
				break;
			case 'cc':
				fields.cc = [fields.cc, value.trim()].filter(Boolean).join(', ');
				break;
			case 'subject':
				if (fields.subject !== '') {
					return { kind: 'twice', text: line };
				}
				fields.subject = value.trim();
				break;
			default:
				if (!names.includes(name)) {
					return { kind: 'badHeader', text: line };
				}
				if (others.has(name)) {
					return { kind: 'twice', text: line };
				}
				others.set(name, value.trim());
		}
	}
	return { ...fields, others };
}

/** People separated by commas; `undefined` if one of the addresses is invalid. */
export function peopleIn(text: string): readonly MailPerson[] | undefined {
	const people = plainAddresses(text.replace(/,\s*$/, ''));
	return people?.every(({ address }) => isSendable(address)) === true ? people : undefined;
}
