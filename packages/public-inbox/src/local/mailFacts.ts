import { createHash } from 'node:crypto';
import { dateMs } from '@forge-desk/base/dateMs.ts';
import { headerValue, messageIdsIn } from 'patchmail/mail/mailHead.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { readPlainMail } from 'patchmail/mail/mailReader.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import type { MailPerson, ReadableMail } from 'patchmail/mail/readableMail.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import { patchId } from 'patchmail/patch/patchId.ts';
import { bracketed } from '../read/messageId.ts';

/** Texts of a mail to search, by the part that a search names. */
export interface SearchedTexts {
	readonly subject: string;
	readonly from: string;
	readonly to: string;
	readonly cc: string;
	/** Without the lines of diffs. */
	readonly unquoted: string;
	readonly quoted: string;
	readonly removed: string;
	readonly added: string;
	readonly context: string;
	readonly hunkHeads: string;
	readonly attachments: string;
	readonly lists: string;
	readonly paths: string;
	readonly oldBlobs: string;
	readonly newBlobs: string;
	readonly patchIds: string;
	readonly changeIds: string;
}

/** Everything that the index keeps of a mail. */
export interface MailFacts {
	/** As of `idOfMail`. */
	readonly messageId: string;
	readonly subject: string;
	readonly author: string;
	readonly address: string;
	/** By the Date header. */
	readonly sentMs: number | undefined;
	/** By the last server on the way, else `sentMs`. */
	readonly receivedMs: number;
	readonly parentId: string | undefined;
	/** The newest 200. */
	readonly references: readonly string[];
	/** Of all bytes. */
	readonly digest: string;
	readonly texts: SearchedTexts;
}

/** A longer mail is searchable by its beginning. Each line takes time. */
const mostIndexed = 512 * 1024;
const mostLines = 20_000;
const mostReferences = 200;
/** As public-inbox: longer ids name nothing. */
const longestId = 244;

/** Reads a mail for the index. Never fails: an unreadable mail is searchable as plain text. */
export async function mailFacts(bytes: Uint8Array): Promise<MailFacts> {
	const mail = await mailWithHead(mailText(bytes.subarray(0, indexedLength(bytes))));
	const [sender] = mail.from;
	const messageId = idOfMail(mail, bytes);
	const answered = messageIdsIn(mail.inReplyTo)[0];
	const references = [...new Set([...mail.references, ...(answered === undefined ? [] : [answered])])]
		.filter((id) => id !== messageId && id.length <= longestId)
		.slice(-mostReferences);
	return {
		messageId,
		subject: mail.subject,
		author: sender?.name === '' || sender === undefined ? (sender?.address ?? '') : sender.name,
		address: sender?.address ?? '',
		sentMs: mail.dateMs,
		receivedMs: receivedMs(mail) ?? mail.dateMs ?? 0,
		parentId: answered !== undefined && references.includes(answered) ? answered : references.at(-1),
		references,
		digest: digestOf(bytes),
		texts: searchedTexts(mail),
	};
}

/** The first Message-ID, also without brackets, as public-inbox reads it. Made of the digest if the mail has none. */
export function idOfMail({ messageId }: ReadableMail, bytes: Uint8Array): string {
	const bare = messageId?.trim() ?? '';
	const id = messageIdsIn(bare)[0] ?? (bare === '' ? '' : bracketed(bare.replaceAll(/[<>]/g, '')));
	return id === '' || id.length > longestId ? `<${digestOf(bytes)}@z>` : id;
}

function indexedLength(bytes: Uint8Array): number {
	let end = -1;
	for (let lines = 0; lines < mostLines; lines += 1) {
		end = bytes.indexOf(0x0a, end + 1);
		if (end === -1 || end >= mostIndexed) {
			return mostIndexed;
		}
	}
	return end + 1;
}

/** Of all bytes, in 40 hexadecimal digits. */
export function digestOf(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex').slice(0, 40);
}

/** Mails without plain text, and those beyond the limits of the parser, keep their head. */
export async function mailWithHead(envelope: string): Promise<ReadableMail> {
	const plain = readPlainMail(envelope);
	if (plain) {
		return plain;
	}
	const reading = await readMail(envelope, { evenIfLarge: true });
	if (reading.kind === 'read') {
		return reading.mail;
	}
	const blankLine = reading.text.indexOf('\n\n');
	const head = (blankLine === -1 ? reading.text : reading.text.slice(0, blankLine))
		.slice(0, longestHead)
		.replaceAll(/^(?:content-[^:\n]*|mime-version):[^\n]*(?:\n[ \t][^\n]*)*\n?/gim, '');
	const body = reading.text.slice(blankLine === -1 ? reading.text.length : blankLine + 2);
	const again = await readMail(`${head.replace(/\n$/, '')}\n\n`, { evenIfLarge: true });
	return again.kind === 'read' ? { ...again.mail, body, text: body } : { ...nothingRead, body: reading.text };
}

const longestHead = 65_536;

const nothingRead: ReadableMail = {
	from: [],
	to: [],
	cc: [],
	replyTo: [],
	date: undefined,
	dateMs: undefined,
	subject: '',
	messageId: undefined,
	inReplyTo: undefined,
	references: [],
	headers: [],
	body: '',
	text: '',
	isFlowed: false,
	attachments: [],
	cautions: [],
	doubts: [],
	gitPatch: undefined,
	toGit: undefined,
};

/** Each server writes its line above the others; the last one is nearest to the archive. */
function receivedMs({ headers }: ReadableMail): number | undefined {
	const received = headerValue(headers, 'received');
	const time = received === undefined ? Number.NaN : dateMs(received.slice(received.lastIndexOf(';') + 1).trim());
	return Number.isNaN(time) ? undefined : time;
}

function searchedTexts(mail: ReadableMail): SearchedTexts {
	const attached = mail.attachments.flatMap(({ name, patch, text }) => [name ?? '', patch ?? text ?? '']);
	const body = attached.length === 0 ? mail.body : [mail.body, ...attached].join('\n');
	const { unquoted, quoted } = byQuotes(body);
	const files = /^(?:diff |--- )/m.test(unquoted) ? parseDiff(unquoted) : undefined;
	const all = files?.files ?? [];
	const id = files === undefined || all.length === 0 ? undefined : patchId(unquoted, files.start);
	const words = (values: readonly (string | undefined)[]): string =>
		[...new Set(values.filter((value) => value !== undefined))].join('\n');
	return {
		subject: mail.subject,
		from: peopleText(mail.from),
		to: peopleText(mail.to),
		cc: peopleText(mail.cc),
		...byDiffLines(unquoted, all.length > 0),
		quoted,
		attachments: words(mail.attachments.map(({ name }) => name ?? undefined)),
		lists: headerValue(mail.headers, 'list-id') ?? '',
		paths: words(all.flatMap(({ oldPath, newPath }) => [oldPath, newPath])),
		oldBlobs: words(all.map(({ oldId }) => oldId)),
		newBlobs: words(all.map(({ newId }) => newId)),
		patchIds: id ?? '',
		changeIds: words(Array.from(unquoted.matchAll(/^change-id:[ \t]*(\S{1,200})[ \t]*$/gim), ([, change]) => change)),
	};
}

/** Separates the lines of diffs, so that each word is in the index once. */
function byDiffLines(
	text: string,
	hasDiff: boolean,
): Pick<SearchedTexts, 'unquoted' | 'removed' | 'added' | 'context' | 'hunkHeads'> {
	const parts = { unquoted: text, removed: '', added: '', context: '', hunkHeads: '' };
	if (!hasDiff) {
		return parts;
	}
	parts.unquoted = '';
	let [old, fresh] = [0, 0];
	for (const line of text.split('\n')) {
		const [, olds = '1', news = '1', head] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@(.*)$/.exec(line) ?? [];
		const sign = old > 0 || fresh > 0 ? line.charAt(0) : undefined;
		if (head !== undefined) {
			[old, fresh] = [Number(olds), Number(news)];
			parts.hunkHeads += `${head}\n`;
		} else if (sign === '-') {
			old -= 1;
			parts.removed += `${line}\n`;
		} else if (sign === '+') {
			fresh -= 1;
			parts.added += `${line}\n`;
		} else if (sign === ' ' || sign === '') {
			[old, fresh] = [old - 1, fresh - 1];
			parts.context += `${line}\n`;
		} else {
			parts.unquoted += `${line}\n`;
		}
	}
	return parts;
}

function peopleText(people: readonly MailPerson[]): string {
	return people.map(({ name, address }) => `${name} ${address}`).join('\n');
}

/** Separates the lines that repeat another mail. */
function byQuotes(body: string): { readonly unquoted: string; readonly quoted: string } {
	if (!body.startsWith('>') && !body.includes('\n>')) {
		return { unquoted: body, quoted: '' };
	}
	const parts: Record<'unquoted' | 'quoted', string[]> = { unquoted: [], quoted: [] };
	for (let at = 0; at < body.length;) {
		const end = body.indexOf('\n', at);
		const next = end === -1 ? body.length : end + 1;
		parts[body[at] === '>' ? 'quoted' : 'unquoted'].push(body.slice(at, next));
		at = next;
	}
	return { unquoted: parts.unquoted.join(''), quoted: parts.quoted.join('') };
}
