import { encodeTransfer } from '../../mail/transferEncoding.ts';
import { mailDate, packMail, packParts, textPart, type HeaderLines } from './letter.ts';
import type { MadeSeries } from './patchMaker.ts';
import { sentAtS } from './patchMaker.ts';
import type { Writer } from './people.ts';
import type { MailForm, SeriesPlan } from './seriesPlan.ts';

/** One mail of a series, ready to arrive. */
export interface PatchMail {
	/** 0 is the cover letter. */
	readonly index: number;
	readonly messageId: string;
	/** Decoded, in one line. */
	readonly subject: string;
	/** Body before encoding, with LF line ends. */
	readonly text: string;
	readonly atMs: number;
	readonly raw: Buffer;
}

export interface PatchMailParts {
	readonly plan: SeriesPlan;
	readonly made: MadeSeries;
	readonly sender: Writer;
	/** Posting address of the list. */
	readonly to: string;
	/** Parent Message-ID of the whole series. */
	readonly answers: string | undefined;
}

/** Turns the output of `git format-patch` into mails like those of `git send-email`, except omitted ones. */
export function writePatchMails({ plan, made, sender, to, answers }: PatchMailParts): readonly PatchMail[] {
	const sentS = sentAtS(plan);
	const first = plan.cover === undefined ? 1 : 0;
	const idOf = (index: number): string => {
		const name = index === 0 ? 'cover' : (made.commits[index - 1] ?? '');
		return `<${name}.${sentS}.git.${sender.email}>`;
	};
	return made.mails.flatMap((mail, at) => {
		const index = first + at;
		if (plan.leftOut?.includes(index) === true) {
			return [];
		}
		const { subject, from, body } = splitMade(mail, plan);
		const parent = answers ?? (at === 0 ? undefined : idOf(first));
		const turn = plan.sentOrder?.indexOf(index) ?? at;
		const atMs = (sentS + turn) * 1000;
		const head: HeaderLines = {
			From: from,
			To: to,
			Subject: subject,
			Date: mailDate(atMs),
			'Message-Id': idOf(index),
			'X-Mailer': 'git-send-email 2.45.2',
			'In-Reply-To': parent,
			References: parent,
		};
		const form = plan.form ?? 'plain';
		return [
			{
				index,
				messageId: idOf(index),
				subject: subject.replaceAll('\r\n ', ' '),
				text: body,
				atMs,
				raw: pack(head, body, form),
			},
		];
	});
}

interface SplitMade {
	/** Encoded and folded as git wrote it. */
	readonly subject: string;
	readonly from: string;
	readonly body: string;
}

function splitMade(mail: string, { cover }: SeriesPlan): SplitMade {
	const gap = mail.indexOf('\n\n');
	const head = mail.slice(0, gap);
	const field = (name: string): string => {
		const found = new RegExp(String.raw`^${name}: (.*(?:\n .*)*)`, 'm').exec(head)?.[1] ?? '';
		// Git leaves the name in a cover letter as it is.
		return Buffer.from(found, 'latin1').toString('utf8').replaceAll('\n', '\r\n');
	};
	const body = Buffer.from(mail.slice(gap + 2), 'latin1').toString('utf8');
	return {
		subject: field('Subject').replace('*** SUBJECT HERE ***', cover?.subject ?? ''),
		from: field('From'),
		body: body.replace('*** BLURB HERE ***', () => cover?.text ?? ''),
	};
}

function pack(head: HeaderLines, text: string, form: MailForm): Buffer {
	switch (form) {
		case 'plain': {
			return packMail(head, text);
		}
		case 'quoted-printable':
		case 'base64': {
			return packMail(head, text, { charset: 'utf-8', encoding: form });
		}
		case 'latin1': {
			return packMail(head, text, { charset: 'iso-8859-1', encoding: 'quoted-printable' });
		}
		case 'latin1-raw': {
			return packMail(head, text, { charset: 'iso-8859-1', encoding: '8bit' });
		}
		case 'koi8': {
			return packMail(head, text, { charset: 'koi8-r', encoding: 'base64' });
		}
		case 'wrapped': {
			return packMail(head, text.split('\n').map(breakLine).join('\n'));
		}
		case 'flowed': {
			const stuffed = text.replaceAll(/^(?= |>|From )/gm, ' ');
			return packMail(head, stuffed, { charset: 'utf-8', encoding: '8bit', parameters: '; format=flowed' });
		}
		case 'attached': {
			return packAttached(head, text);
		}
		case 'signed': {
			return packSigned(head, text);
		}
	}
}

function breakLine(line: string): string {
	return line.length > 76 ? line.replaceAll(/(.{20,70}) /g, '$1\n') : line;
}

function packAttached(head: HeaderLines, text: string): Buffer {
	const letter = textPart('こんにちは。My first patch for Lantern is attached.\n\n美咲\n', {
		charset: 'utf-8',
		encoding: 'quoted-printable',
	});
	const attachment = {
		head: {
			'Content-Type': 'text/x-patch; charset=utf-8; name="0001-evening.patch"',
			'Content-Disposition': `attachment; filename*=UTF-8''0001-${encodeURIComponent('夕焼け')}.patch`,
			'Content-Transfer-Encoding': 'base64',
		},
		body: encodeTransfer(Buffer.from(text), 'base64'),
	};
	return packParts(head, 'multipart/mixed', [letter, attachment]);
}

function packSigned(head: HeaderLines, text: string): Buffer {
	const signature =
		'-----BEGIN PGP SIGNATURE-----\n\niHUEABYKAB0WIQSample+Signature+of+No+Key+AAoJEA==\n=7f3a\n-----END PGP SIGNATURE-----\n';
	return packParts(head, 'multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"', [
		textPart(text, { charset: 'utf-8', encoding: 'quoted-printable' }),
		{
			head: {
				'Content-Type': 'application/pgp-signature; name="signature.asc"',
				'Content-Description': 'OpenPGP signature',
			},
			body: encodeTransfer(Buffer.from(signature), '7bit'),
		},
	]);
}
