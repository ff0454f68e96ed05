import type { Random } from './random.ts';

/** A mail of a made thread. `name` is the local part of its Message-ID. */
export interface MadeMail {
	readonly name: string;
	readonly from: string;
	readonly subject: string;
	readonly sentMs: number;
	readonly text: string;
	/** The mail that it answers; `lost` for one that reached nobody. */
	readonly above: MadeMail | 'lost' | undefined;
	/** The form of its text; plain UTF-8 by default. */
	readonly coding?: 'base64' | 'base64 of CR LF' | 'quoted-printable' | 'Latin-1' | 'attached';
}

export const people = {
	ann: 'Ann Author <ann@a.example>',
	annHome: 'Ann Author <ann@home.example>',
	max: 'Max Maintainer <max@m.example>',
	eve: 'Eve Else <eve@e.example>',
	rob: 'Rob Reviewer <rob@r.example>',
	/** As lists write for domains that forbid others to send in their name. */
	annByList: 'Ann Author via devel <devel@lists.example>',
	eveByList: 'Eve Else via devel <devel@lists.example>',
} as const;

/** A reply as its writer meant it. */
export interface MeantReply {
	readonly mail: MadeMail;
	/** `key address` of its trailer; `undefined` for a remark. */
	readonly trailer: string | undefined;
	/** Patches that it is about. */
	readonly of: readonly MadeMail[];
}

/** A version as its sender meant it. */
export interface MeantVersion {
	readonly version: number;
	/** `any`: people may differ, as for a version that keeps patches of an earlier one. */
	readonly cover: MadeMail | 'any' | undefined;
	readonly patches: readonly MadeMail[];
	/** Replies to patches of this version. */
	readonly replies?: readonly MeantReply[];
	/** The version to review; no version has it where people may differ. */
	readonly isNewest: boolean;
}

/** A set of patches to send. */
interface Sending {
	readonly count: number;
	readonly version?: number;
	readonly from?: string;
	/** The subject's brackets, for index 0 and up; with a number by default. */
	readonly tag?: (index: number) => string;
	/** `free`: a subject without brackets. */
	readonly cover?: 'tagged' | 'free' | 'none';
	readonly above?: MadeMail | undefined;
	/** Indexes to send; all by default. */
	readonly only?: readonly number[];
	/** Each patch is a thread of its own. */
	readonly isApart?: boolean;
	readonly isChain?: boolean;
	/** A `From:` line at the head of each text. */
	readonly author?: string;
	/** All mails have one date. */
	readonly isAtOnce?: boolean;
	/** Patches of all such sets have equal changes. */
	readonly isUnchanged?: boolean;
	/** Begins the titles of the patches; the area by default. */
	readonly title?: string;
	/** Index of a patch that answers a mail nobody has. */
	readonly lostAbove?: number;
}

interface Sent {
	readonly cover: MadeMail | undefined;
	/** By index, from 1. */
	readonly patches: readonly MadeMail[];
}

const startMs = Date.UTC(2026, 2, 2, 10);
const dayMs = 24 * 60 * 60_000;
const nouns = ['buffer', 'cursor', 'driver', 'filter', 'header', 'locker', 'marker', 'parser', 'reader'] as const;

/** Writes the mails of one made thread, or of several of one series. */
export class MadeThread {
	readonly mails: MadeMail[] = [];
	readonly title: string;
	readonly #first: number;
	readonly #random: Random;
	#nowMs = startMs;

	constructor(random: Random, area: string) {
		this.#random = random;
		this.#first = random.below(nouns.length);
		this.title = area;
	}

	/** The next mail comes on a later day. */
	later(): void {
		const day = Math.floor((this.#nowMs - startMs) / dayMs) + 1 + this.#random.below(4);
		this.#nowMs = startMs + day * dayMs;
	}

	mail(subject: string, change: Partial<MadeMail> = {}): MadeMail {
		const mail = {
			from: people.ann,
			text: 'Some words.\n',
			above: undefined,
			sentMs: this.#nowMs,
			...change,
			subject,
			name: `m${this.mails.length + 1}`,
		};
		this.#nowMs = Math.max(this.#nowMs, mail.sentMs) + 1000;
		this.mails.push(mail);
		return mail;
	}

	/** The title of a patch, equal in all versions. */
	patchTitle(index: number, title = this.title): string {
		const noun = nouns[(this.#first + index) % nouns.length] ?? nouns[0];
		return `${title}: change the ${noun}`;
	}

	patch(
		subject: string,
		index: number,
		change: Partial<MadeMail> & {
			readonly author?: string | undefined;
			readonly isUnchanged?: boolean | undefined;
		} = {},
	): MadeMail {
		const { author, isUnchanged, ...rest } = change;
		const head = author === undefined ? '' : `From: ${author}\n\n`;
		return this.mail(subject, { text: head + patchText(index, isUnchanged === true ? 0 : this.mails.length), ...rest });
	}

	review(of: MadeMail, from: string = people.rob): MadeMail {
		return this.mail(`Re: ${of.subject}`, { from, above: of, text: '> a line\n\nPlease write it in another way.\n' });
	}

	/** A reply with a trailer. `of`: the patches that it is about. */
	trailer(key: string, from: string, above: MadeMail, of: readonly MadeMail[]): MeantReply {
		const text = `> Explain the change.\n\n${key}: ${from}\n`;
		const mail = this.mail(`Re: ${above.subject}`, { from, above, text });
		return { mail, trailer: `${key} ${/<(.*)>/.exec(from)?.[1] ?? from}`, of };
	}

	send(sending: Sending): Sent {
		const { count, from = people.ann, cover = 'none', above, isApart, isChain, author, title = this.title } = sending;
		const tag = tagsOf(sending);
		const at = sending.isAtOnce === true ? { sentMs: this.#nowMs } : {};
		const coverMail =
			cover === 'none'
				? undefined
				: this.mail(cover === 'free' ? `Some work on ${this.title}` : `${tag(0)} ${title}: all of it`, {
						from,
						above,
						...at,
					});
		const patches: MadeMail[] = [];
		for (const index of sending.only ?? Array.from({ length: count }, (_, each) => each + 1)) {
			const first = coverMail ?? patches[0];
			const under = isApart === true ? undefined : ((isChain === true ? (patches.at(-1) ?? first) : first) ?? above);
			patches.push(
				this.patch(`${tag(index)} ${this.patchTitle(index, title)}`, index, {
					from,
					author,
					isUnchanged: sending.isUnchanged,
					above: sending.lostAbove === index ? 'lost' : under,
					...at,
				}),
			);
		}
		return { cover: coverMail, patches };
	}
}

function tagsOf({ count, version = 1, cover = 'none', tag }: Sending): (index: number) => string {
	return tag ?? ((index) => usualTag({ index, count, version, hasCover: cover !== 'none' }));
}

function usualTag({
	index,
	count,
	version,
	hasCover,
}: {
	readonly index: number;
	readonly count: number;
	readonly version: number;
	readonly hasCover: boolean;
}): string {
	const words = ['PATCH', version > 1 ? `v${version}` : '', count > 1 || hasCover ? `${index}/${count}` : ''];
	return `[${words.filter((word) => word !== '').join(' ')}]`;
}

/** Each patch changes a file of its own, and each mail writes another line. */
function patchText(index: number, mail: number): string {
	const file = `part${index}.c`;
	return [
		'Explain the change.',
		'',
		'Signed-off-by: Ann Author <ann@a.example>',
		'---',
		` ${file} | 2 +-`,
		' 1 file changed, 1 insertion(+), 1 deletion(-)',
		'',
		`diff --git a/${file} b/${file}`,
		'index 1111111..2222222 100644',
		`--- a/${file}`,
		`+++ b/${file}`,
		'@@ -1,3 +1,3 @@',
		' one',
		'-two',
		`+two of mail ${mail}`,
		' three',
		'-- ',
		'2.39.5',
		'',
	].join('\n');
}

/** The bytes of a mail. `series` keeps the Message-IDs of all series apart. */
export function bytesOf({ name, from, subject, sentMs, text, above, coding }: MadeMail, series: string): Buffer {
	const parent = above === 'lost' ? 'nobody-has-it' : above?.name;
	const named = parent === undefined ? [] : [`In-Reply-To: <${series}.${parent}@made.example>`];
	const head = [
		`From: ${from}`,
		'To: devel@lists.example',
		`Subject: ${subject}`,
		`Message-ID: <${series}.${name}@made.example>`,
		`Date: ${new Date(sentMs).toUTCString().replace('GMT', '+0000')}`,
		...named,
		...named.map((line) => line.replace('In-Reply-To', 'References')),
	];
	return Buffer.from(`${[...head, ...codedText(text, coding)].join('\n')}\n`);
}

/** Headers of the content, a blank line, and the text. */
function codedText(text: string, coding: MadeMail['coding']): readonly string[] {
	const coded = (encoding: string, body: string, charset = 'utf-8'): readonly string[] => [
		'MIME-Version: 1.0',
		`Content-Type: text/plain; charset=${charset}`,
		`Content-Transfer-Encoding: ${encoding}`,
		'',
		body,
	];
	const base64 = (plain: string): string =>
		Buffer.from(plain)
			.toString('base64')
			.replaceAll(/.{76}(?!$)/g, '$&\n');
	const quoted = (bytes: Buffer): string =>
		bytes.toString('latin1').replaceAll(/[^\n\x20-<>-~]| (?=\n)/g, (sign) => `=${hex(sign)}`);
	switch (coding) {
		case undefined:
			// oxlint-disable-next-line no-control-regex -- every character of ASCII
			return /^[\0-\x7f]*$/.test(text) ? ['', text] : coded('8bit', text);
		case 'base64':
			return coded('base64', base64(text));
		case 'base64 of CR LF':
			return coded('base64', base64(text.replaceAll('\n', '\r\n')));
		case 'quoted-printable':
			return coded('quoted-printable', quoted(Buffer.from(text)));
		case 'Latin-1':
			return coded('quoted-printable', quoted(Buffer.from(text.replaceAll('—', '-'), 'latin1')), 'iso-8859-1');
		case 'attached': {
			const at = text.indexOf('---\n');
			return [
				'MIME-Version: 1.0',
				'Content-Type: multipart/mixed; boundary=part',
				'',
				'--part',
				...coded('quoted-printable', quoted(Buffer.from(text.slice(0, at)))).slice(1),
				'--part',
				'Content-Type: text/x-patch; name=change.patch',
				'Content-Disposition: attachment; filename=change.patch',
				'',
				text.slice(at),
				'--part--',
			];
		}
	}
}

function hex(sign: string): string {
	return sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
}
