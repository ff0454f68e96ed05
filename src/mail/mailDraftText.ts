import { plainAddresses } from './plainAddresses.ts';
import type { MailPerson } from './readableMail.ts';
import { isSendable } from './writtenAddress.ts';

/** A mail as somebody writes it, its headers above an empty line. */
export interface MailDraftParts {
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	readonly subject: string;
	readonly body: string;
}

/** What of a text keeps it from being a mail. */
export type MailDraftFault =
	/** Nobody to send it to. */
	| { readonly kind: 'nobody' }
	/** `text`: of a line of people, what is no address that a mail can be sent to. */
	| { readonly kind: 'badPeople'; readonly text: string }
	/** A line above the first empty one that is neither To, Cc nor Subject. */
	| { readonly kind: 'badHeader'; readonly text: string }
	| { readonly kind: 'noSubject' }
	| { readonly kind: 'noText' };

/** The text that `mailDraftOf` reads. */
export function mailDraftText({ to, cc, subject, body }: MailDraftParts): string {
	const head = [
		`To: ${to.map(personText).join(', ')}`,
		`Cc: ${cc.map(personText).join(', ')}`,
		`Subject: ${subject.replaceAll(/[\r\n]+/g, ' ')}`,
	];
	return `${head.map((line) => line.trimEnd()).join('\n')}\n\n${body}`;
}

function personText({ name, address }: MailPerson): string {
	const plain = name.replaceAll(/["\\\r\n]/g, ' ').trim();
	if (plain === '') {
		return address;
	}
	return /[<>@,;:()[\]]/.test(plain) ? `"${plain}" <${address}>` : `${plain} <${address}>`;
}

/** Reads a mail that somebody wrote. */
export function mailDraftOf(text: string): MailDraftParts | MailDraftFault {
	const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
	const blank = lines.findIndex((line) => line.trim() === '');
	const end = blank === -1 ? lines.length : blank;
	const fields = fieldsOf(lines.slice(0, end));
	if ('kind' in fields) {
		return fields;
	}
	const { subject } = fields;
	const [to, cc] = [peopleIn(fields.to), peopleIn(fields.cc)];
	if (!to || !cc) {
		return { kind: 'badPeople', text: to ? fields.cc : fields.to };
	}
	const body = lines.slice(end + 1).join('\n');
	const fault = faultOf({ to, cc, subject, body });
	return fault ? { kind: fault } : { to, cc, subject, body };
}

interface Fields {
	readonly to: string;
	readonly cc: string;
	readonly subject: string;
}

/** Lines of the same name count as one. */
function fieldsOf(lines: readonly string[]): Fields | MailDraftFault {
	const values = { to: [], cc: [], subject: [] } satisfies Record<keyof Fields, string[]>;
	const known: Readonly<Record<string, string[]>> = values;
	for (const line of lines) {
		const [, name = '', value = ''] = /^(to|cc|subject):(.*)$/i.exec(line) ?? [];
		const list = known[name.toLowerCase()];
		if (!list) {
			return { kind: 'badHeader', text: line };
		}
		if (value.trim() !== '') {
			list.push(value.trim());
		}
	}
	return { to: values.to.join(', '), cc: values.cc.join(', '), subject: values.subject.join(' ') };
}

function faultOf({ to, subject, body }: MailDraftParts): 'nobody' | 'noSubject' | 'noText' | undefined {
	if (to.length === 0) {
		return 'nobody';
	}
	if (subject === '') {
		return 'noSubject';
	}
	return body.trim() === '' ? 'noText' : undefined;
}

function peopleIn(text: string): readonly MailPerson[] | undefined {
	const people = text === '' ? [] : plainAddresses(text.replace(/,\s*$/, ''));
	return people?.every(({ address }) => isSendable(address)) === true ? people : undefined;
}
