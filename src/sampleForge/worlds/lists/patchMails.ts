import { mailDate, packMail, type HeaderLines } from './letter.ts';
import type { MadeSeries } from './patchMaker.ts';
import type { SeriesPlan } from './seriesPlan.ts';
import type { Writer } from './writers.ts';

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
	/** Sending time in seconds. */
	readonly sentS: number;
	/** Posting address of the list. */
	readonly to: string;
	/** Parent Message-ID of the whole series. */
	readonly answers: string | undefined;
}

/** Turns the output of `git format-patch` into mails like those of `git send-email`, except omitted ones. */
export function writePatchMails(parts: PatchMailParts): readonly PatchMail[] {
	const { plan, made, sender, sentS, to, answers } = parts;
	const { pack = packMail } = plan;
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
		return [
			{
				index,
				messageId: idOf(index),
				subject: subject.replaceAll('\r\n ', ' '),
				text: body,
				atMs,
				raw: pack(head, body),
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
