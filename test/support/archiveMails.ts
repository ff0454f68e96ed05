import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from './madeThread.ts';
import { createRandom } from './random.ts';
import { madeSeries } from './seriesCorpus.ts';

/** A raw mail with the facts that a test asks for. */
export interface ArchiveMail {
	/** With angle brackets. */
	readonly messageId: string;
	readonly raw: Buffer;
}

const wantedMails = 1000;
const corpus = join(import.meta.dirname, '../corpus/replies');

/** Series of each kind, two of each: the archive starts a program for each patch, and more would take long. */
export const archivedSeries = madeSeries().filter(({ name }) => / [12]$/.test(name));

/** The local part of Message-IDs of a made series. */
export function hostOf(name: string): string {
	return name.replaceAll(/\W/g, '-');
}

/** 1,000 mails: made series, the reply corpus, odd mails and a discussion, in random order. */
export function archiveMails(): readonly ArchiveMail[] {
	const made = archivedSeries.flatMap(({ name, mails }) => mails.map((mail) => bytesOf(mail, hostOf(name))));
	const written = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.eml'))
		.toSorted()
		.map((file) => readFileSync(join(corpus, file)));
	const known = [...oddMails(), ...made, ...written];
	const rest = Array.from({ length: wantedMails - known.length }, (_, at) => discussed(at));
	const random = createRandom(20_261_130);
	return [...known, ...rest]
		.map((raw) => ({ raw, key: random.below(1_000_000) }))
		.toSorted((one, other) => one.key - other.key)
		.map(({ raw }) => ({ raw, messageId: messageIdOf(raw) }));
}

export function messageIdOf(raw: Uint8Array): string {
	const [, id = ''] = /^Message-ID:\s*(<[^>]*>)/im.exec(Buffer.from(raw).toString()) ?? [];
	return id;
}

/** Twenty threads of equal size. */
function discussed(at: number): Buffer {
	const parent = at < 20 ? undefined : `<talk-${at - 20}@talk.example>`;
	return mailOf({
		id: `talk-${at}@talk.example`,
		subject: parent === undefined ? `Question ${at}` : `Re: Question ${at % 20}`,
		dateMs: Date.UTC(2026, 4, 1) + at * 3_600_000,
		head: parent === undefined ? [] : [`In-Reply-To: ${parent}`, `References: ${parent}`],
		body: `Answer ${at}\n\n>From here\n>> From there\nFrom now on\n>>From far\n`,
	});
}

function mailOf(mail: {
	readonly id: string;
	readonly subject: string;
	readonly dateMs?: number;
	readonly from?: string;
	readonly head?: readonly string[];
	readonly body?: string | Buffer;
	readonly lineEnd?: string;
}): Buffer {
	const date = new Date(mail.dateMs ?? Date.UTC(2026, 5, 1)).toUTCString().replace('GMT', '+0000');
	const lines = [
		`From: ${mail.from ?? 'Ann Author <ann@a.example>'}`,
		'To: devel@lists.example',
		`Subject: ${mail.subject}`,
		`Message-ID: <${mail.id}>`,
		`Date: ${date}`,
		...(mail.head ?? []),
		'',
		'',
	];
	const lineEnd = mail.lineEnd ?? '\n';
	return Buffer.concat([Buffer.from(lines.join(lineEnd)), Buffer.from(mail.body ?? 'Some words.\n')]);
}

/** Dates at both ends. The first mail of all comes 17 minutes after the epoch. */
export const oldestMs = 1_020_000;
export const furthestMs = Date.UTC(2030, 0, 2, 3, 4);

/** One Message-ID, two texts. The archive has the first one. */
export const doubleId = '<double@odd.example>';
export const otherText = mailOf({ id: 'double@odd.example', subject: 'double', body: 'Another text.\n' });
/** The parent of a mail, which the archive never received. */
export const ghostId = '<ghost/%2F@odd.example>';

export const oddIds = [
	'a/b/c@odd.example',
	'/first@odd.example',
	'50%@odd.example',
	'%2F%41@odd.example',
	`quote"'@odd.example`,
	'a&b=c;d@odd.example',
	'hash#and?mark@odd.example',
	'plus+star*(brace)!$~@odd.example',
	'no-at-sign',
	'umlaut-\u00FC@odd.example',
] as const;

function oddMails(): readonly Buffer[] {
	const type = (charset: string): readonly string[] => [
		'MIME-Version: 1.0',
		`Content-Type: text/plain; charset=${charset}`,
		'Content-Transfer-Encoding: 8bit',
	];
	return [
		...oddIds.map((id) => mailOf({ id, subject: `[PATCH] odd ${id}` })),
		mailOf({ id: 'old@odd.example', subject: 'oldest', dateMs: oldestMs }),
		mailOf({ id: 'far@odd.example', subject: 'furthest', dateMs: furthestMs }),
		mailOf({ id: 'double@odd.example', subject: 'double', body: 'One text.\n' }),
		mailOf({ id: 'orphan@odd.example', subject: 'Re: ghost', head: [`In-Reply-To: ${ghostId}`] }),
		mailOf({ id: 'crlf@odd.example', subject: 'crlf', lineEnd: '\r\n', body: 'One\r\n>From two\r\nFrom three\r\n' }),
		mailOf({ id: 'empty@odd.example', subject: 'empty', body: '' }),
		mailOf({ id: 'feeds@odd.example', subject: 'feeds', body: 'text\n\n\n\n' }),
		mailOf({ id: 'unended@odd.example', subject: 'unended', body: 'text without an end' }),
		mailOf({ id: 'from@odd.example', subject: 'from', body: 'From the start\n>From\n>>>From it\n' }),
		mailOf({ id: 'line@odd.example', subject: 'line', body: 'From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: no\n' }),
		mailOf({
			id: 'latin@odd.example',
			subject: 'latin',
			head: type('iso-8859-1'),
			body: Buffer.from('Gr\u00FC\u00DFe\n', 'latin1'),
		}),
		mailOf({
			id: 'wrong@odd.example',
			subject: 'wrong',
			head: type('nonsense'),
			body: Buffer.from([0xff, 0xfe, 0x0a, 0x80, 0x0a]),
		}),
		mailOf({ id: 'tags@odd.example', subject: '<b>7. <a href="x/">no</a></b> &amp; - by A @ 2020-01-01 1:00 UTC' }),
		mailOf({ id: 'author@odd.example', subject: 'author', from: '"x @ 2020-01-01  1:00 UTC [99%]" <x@x.example>' }),
	];
}
