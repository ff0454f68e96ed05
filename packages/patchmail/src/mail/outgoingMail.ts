import { encodedBody, quotedPrintable, type EncodedBody } from './encodeBody.ts';
import { encodedText, oneLine } from './encodeWords.ts';
import type { MailPerson } from './readableMail.ts';
import { addressKey, isSendable, peopleText, writtenPerson } from './writtenAddress.ts';

/** A mail to send. Names, subject and body may be anything; none becomes a header. */
export interface OutgoingMail {
	readonly from: MailPerson;
	readonly to: readonly MailPerson[];
	readonly cc: readonly MailPerson[];
	readonly subject: string;
	/** With angle brackets, as all ids here. */
	readonly messageId: string;
	readonly inReplyTo: string | undefined;
	/** Oldest first. */
	readonly references: readonly string[];
	/** A status that the forge gives the patchset when it reads the mail (docs/protocol.md#patchset-updates). */
	readonly patchsetStatus: string | undefined;
	/** Lines end with LF. */
	readonly body: string;
	/**
	 * The exact bytes of a patch, one character per byte, if its text would lose some: carriage returns, control characters
	 * and text outside UTF-8. They travel in place of `body`.
	 */
	readonly bytes?: string | undefined;
}

type Field = readonly [name: string, value: string];

/** With a blank before it, an id fills a line of at most 998 characters (RFC 5322, 2.1.1). */
const messageId = /^<[!-;=?-~]{1,995}>$/;
const statusWord = /^[a-z_]{1,40}$/i;
/** On one line, as git sends them. */
const mostReferences = 900;
/** Beside `In-Reply-To: `. */
const longestBesideName = 985;

/** The mail as a file that mail programs open as a draft. */
export function mailFile(mail: OutgoingMail, nowMs: number): string {
	const body = travellingBody(mail);
	const head = [
		...peopleFields(mail),
		...threadFields(mail),
		// RFC 5322 writes it so, in UTC.
		['Date', new Date(nowMs).toUTCString().replace('GMT', '+0000')] as const,
		['X-Unsent', '1'] as const,
		...contentFields(body),
	];
	return `${written(head)}\n${body.text}`.replaceAll('\n', '\r\n');
}

/**
 * The mail as `git send-email` is handed it: sender and recipients are arguments, each on one line, and the date is its own.
 */
export interface MailForGit {
	readonly source: string;
	readonly encoding: EncodedBody['encoding'];
	readonly from: string;
	readonly to: readonly string[];
	readonly cc: readonly string[];
}

/** `undefined` where the mail has no sender or no recipient to whom a mail can be sent. */
export function mailForGit(mail: OutgoingMail): MailForGit | undefined {
	const body = travellingBody(mail);
	const { to: all, cc } = recipientsOf(mail);
	const people = (all: readonly MailPerson[]): readonly string[] =>
		all.flatMap((person) => writtenPerson(person)?.replaceAll('\n ', ' ') ?? []);
	const [from] = people([mail.from]);
	const to = people(all);
	return from === undefined || to.length === 0
		? undefined
		: {
				source: `${written([...threadFields(mail), ...contentFields(body)])}\n${body.text}`,
				encoding: body.encoding,
				from,
				to,
				cc: people(cc),
			};
}

/** The mail as people read it, headers first. */
export function mailText(mail: OutgoingMail): string {
	const { to, cc } = recipientsOf(mail);
	const head: readonly Field[] = [
		['From', peopleText([mail.from].filter(({ address }) => isSendable(address)))],
		['To', peopleText(to)],
		['Cc', peopleText(cc)],
		['Subject', oneLine(mail.subject)],
		...threadFields(mail).filter(([name]) => name !== 'Subject' && name !== 'References'),
	];
	return `${written(head.filter(([, value]) => value !== ''))}\n${plainBody(mail.body)}`;
}

/** Cc and text of a mail in readable form, for writing it in another program. */
export function copiesAndText(mail: Pick<OutgoingMail, 'to' | 'cc' | 'body'>): string {
	return `Cc: ${peopleText(recipientsOf(mail).cc)}\n\n${plainBody(mail.body)}`;
}

/** A link that mail programs write a mail from. */
export interface MailLink {
	readonly link: string;
	/** The body is in it; else there was no room for it. */
	readonly isWhole: boolean;
	/** All of Cc is in it; else there was room neither for the body nor for that. */
	readonly hasCopies: boolean;
}

/** Longer ids leave no room for the rest of a link. */
const longestLinkedId = 242;
/** Length of a link that systems pass on. */
const longestLink = 2000;

/** A link with recipients, subject and thread, and the body where there is room; without Cc where there is none. */
export function mailLink(mail: OutgoingMail): MailLink {
	const { subject, inReplyTo, body } = mail;
	const { to, cc } = recipientsOf(mail);
	const addresses = (people: readonly MailPerson[]): string =>
		people.map(({ address }) => encodeURIComponent(address).replaceAll('%40', '@')).join(',');
	const link = (fields: readonly Field[]): string =>
		`mailto:${addresses(to)}?${fields.map(([name, value]) => `${name}=${value}`).join('&')}`;
	const copies = addresses(cc);
	const thread: readonly Field[] = [
		...(inReplyTo !== undefined && messageId.test(inReplyTo) && inReplyTo.length <= longestLinkedId
			? [['in-reply-to', encodeURIComponent(inReplyTo)] as const]
			: []),
		['subject', encodeURIComponent(oneLine(subject).slice(0, 200).toWellFormed())],
	];
	const fields: readonly Field[] = [...(copies === '' ? [] : [['cc', copies] as const]), ...thread];
	const text = encodeURIComponent(plainBody(body).replaceAll('\n', '\r\n'));
	const whole = link([...fields, ['body', text]]);
	if (whole.length <= longestLink) {
		return { link: whole, isWhole: true, hasCopies: true };
	}
	const short = link(fields);
	const hasCopies = copies === '' || short.length <= longestLink;
	return { link: hasCopies ? short : link(thread), isWhole: false, hasCopies };
}

/** The people to whom a mail can be sent, each once. */
function recipientsOf({ to, cc }: Pick<OutgoingMail, 'to' | 'cc'>) {
	const known = new Set<string>();
	const isNew = ({ address }: MailPerson): boolean => {
		const count = known.size;
		return isSendable(address) && known.add(addressKey(address)).size > count;
	};
	return { to: to.filter(isNew), cc: cc.filter(isNew) };
}

function peopleFields(mail: OutgoingMail): readonly Field[] {
	const { to, cc } = recipientsOf(mail);
	const listed = (people: readonly MailPerson[]): string =>
		people.flatMap((person) => writtenPerson(person) ?? []).join(',\n ');
	const fields: readonly Field[] = [
		['From', listed([mail.from])],
		['To', listed(to)],
		['Cc', listed(cc)],
	];
	return fields.filter(([, value]) => value !== '');
}

function threadFields(mail: OutgoingMail): readonly Field[] {
	const { inReplyTo, patchsetStatus } = mail;
	const fields: readonly Field[] = [
		['Subject', encodedText(mail.subject)],
		['Message-ID', idsOf([mail.messageId]).join('')],
		[
			'In-Reply-To',
			idsOf(inReplyTo === undefined ? [] : [inReplyTo])
				.map(onOneLine)
				.join(''),
		],
		['References', bounded(idsOf(mail.references)).map(onOneLine).join('\n ')],
		[
			'X-Sourcehut-Patchset-Update',
			patchsetStatus !== undefined && statusWord.test(patchsetStatus) ? patchsetStatus.toUpperCase() : '',
		],
	];
	return fields.filter(([, value]) => value !== '');
}

/** Quoted-printable keeps every byte, so git chooses it for such a patch, too. */
function travellingBody({ body, bytes }: OutgoingMail): EncodedBody {
	return bytes === undefined
		? encodedBody(plainBody(body))
		: { encoding: 'quoted-printable', text: quotedPrintable(Buffer.from(bytes, 'latin1')) };
}

function contentFields({ encoding }: EncodedBody): readonly Field[] {
	return [
		['MIME-Version', '1.0'],
		['Content-Type', 'text/plain; charset=UTF-8'],
		['Content-Transfer-Encoding', encoding],
	];
}

/** A line of its own for an id that has no room beside a name. */
function onOneLine(id: string): string {
	return id.length > longestBesideName ? `\n ${id}` : id;
}

function idsOf(ids: readonly string[]): readonly string[] {
	return ids.filter((id) => messageId.test(id));
}

/**
 * The first id and as many of the last ones as there is room for (RFC 5322, 3.6.4, leaves out from the middle). The last one
 * is the answered mail, so it stays.
 */
function bounded(ids: readonly string[]): readonly string[] {
	const [first, ...others] = ids;
	if (first === undefined) {
		return [];
	}
	const kept: string[] = [];
	let room = mostReferences - first.length;
	for (const id of others.toReversed()) {
		room -= id.length + 1;
		if (room < 0) {
			break;
		}
		kept.unshift(id);
	}
	return kept.length === 0 ? [others.at(-1) ?? first] : [first, ...kept];
}

function written(fields: readonly Field[]): string {
	return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}

/** The text of a body with exact bytes, for people: without the signs that its lines end or begin with unseen. */
export function readableBody(body: string): string {
	return plainBody(body.replaceAll('\r', ''));
}

/** Whether a body comes out as it went in. */
export function isKeptBody(body: string): boolean {
	return plainBody(body) === body;
}

/** The body to send: LF line ends, without terminal controls. */
export function plainBody(body: string): string {
	const text = body
		.replaceAll(/\r\n?/g, '\n')
		.replaceAll(/[^\P{Cc}\t\n]/gu, '')
		.toWellFormed();
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
