import type { PatchsetStatus, MailingList } from '../../lists/mailModel.ts';
import type { MailStore } from '../../lists/mailStore.ts';
import type { Story } from '../story.ts';
import {
	mailDate,
	packMail,
	type HeaderLines,
	type Writer,
	createPatchQuoter,
	quoteSpeech,
	writeOpening,
	writeReply,
	type Answered,
	type WrittenLetter,
} from './letters.ts';
import { check, need } from '../../shared/checks.ts';

/** Puts a mail together. */
type Pack = (head: HeaderLines, text: string) => Buffer;

/** A part of a reply: own words, or a quotation of the hunk up to the line that holds the needle. */
export type ReplyPart = string | { readonly q: string };

export interface ReplyPlan {
	readonly who: string;
	/** Hours after the series, or after the previous reply if that is the parent. */
	readonly hours: number;
	/** Index of the mail in the series (0: cover letter), or the reply before (default). */
	readonly to?: number | 'last';
	readonly says: readonly ReplyPart[];
	readonly headers?: Readonly<Record<string, string>>;
	readonly pack?: Pack;
}

/** A series as it is sent and reviewed. */
export interface SentSeries {
	/** Names the series in the plans. */
	readonly key: string;
	readonly list: string;
	readonly author: string;
	/** Sender, if not the author. */
	readonly sender?: string;
	/** Days after the begin of the world; negative before it. */
	readonly day: number;
	/** People addressed beside the list. */
	readonly to?: readonly string[];
	/** Like `git send-email` by default: 8-bit UTF-8 where needed. */
	readonly pack?: Pack;
	/** Indexes that were never sent. */
	readonly leftOut?: readonly number[];
	/** Sending order of the mails by index; defaults to their own order. */
	readonly sentOrder?: readonly number[];
	/** Series whose first mail is this one's parent. */
	readonly answers?: string;
	/** Status changes, hours after the series. */
	readonly moves?: readonly (readonly [status: PatchsetStatus, hours: number])[];
	readonly talk?: readonly ReplyPlan[];
}

/** Mails of `git format-patch`: one character per byte and LF line ends, cover letter first. */
export interface MadeSeries {
	readonly mails: readonly string[];
	/** Commit ids, in order. */
	readonly commits: readonly string[];
}

/** Splits the output of `git format-patch --stdout`. */
export function readMailbox(bytes: Buffer): MadeSeries {
	const parted = bytes.toString('latin1').split(/^From ([0-9a-f]{40}) Mon Sep 17 00:00:00 2001\n/m);
	const mails = parted.filter((_part, at) => at > 0 && at % 2 === 0);
	const ids = parted.filter((_part, at) => at % 2 === 1);
	const hasCover = /^Subject: .*\b0+\/\d+\]/m.test(mails[0] ?? '');
	return { mails, commits: hasCover ? ids.slice(1) : ids };
}

/** Sending time of a series in seconds. */
export function sentAtS({ day }: SentSeries, startMs: number): number {
	return Math.floor(startMs / 1000 + day * 86_400);
}

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

/** A series as planned, and as git made it. */
export interface PlannedSeries {
	readonly plan: SentSeries;
	readonly made: MadeSeries;
}

/**
 * Turns the output of `git format-patch` into mails like those of `git send-email`, except omitted ones. `to`: posting
 * address of the list. `sentS`: sending time in seconds. `answers`: parent Message-ID of the whole series.
 */
export function writePatchMails(
	{ plan, made }: PlannedSeries,
	sender: Writer,
	sentS: number,
	to: string,
	answers: string | undefined,
): readonly PatchMail[] {
	const { pack = packMail } = plan;
	const first = made.mails.length > made.commits.length ? 0 : 1;
	const idOf = (index: number): string => {
		const name = index === 0 ? 'cover' : (made.commits[index - 1] ?? '');
		return `<${name}.${sentS}.git.${sender.email}>`;
	};
	return made.mails.flatMap((mail, at) => {
		const index = first + at;
		if (plan.leftOut?.includes(index) === true) {
			return [];
		}
		const { subject, from, body } = splitMade(mail);
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

function splitMade(mail: string): SplitMade {
	const gap = mail.indexOf('\n\n');
	const head = mail.slice(0, gap);
	const field = (name: string): string => {
		const found = new RegExp(String.raw`^${name}: (.*(?:\n .*)*)`, 'm').exec(head)?.[1] ?? '';
		// Git leaves the name in a cover letter as it is.
		return Buffer.from(found, 'latin1').toString('utf8').replaceAll('\n', '\r\n');
	};
	return {
		subject: field('Subject'),
		from: field('From'),
		body: Buffer.from(mail.slice(gap + 2), 'latin1').toString('utf8'),
	};
}

/** One reply. `to` is the index of its parent in the thread, 0 for the opening. */
export interface AnswerPlan {
	readonly who: string;
	readonly hours: number;
	readonly to: number;
	readonly text: string;
	/** Quotes the last words of its parent. */
	readonly quotes?: boolean;
}

export interface ThreadPlan {
	readonly list: string;
	readonly who: string;
	/** Days after the begin of the world. */
	readonly day: number;
	readonly subject: string;
	readonly text: string;
	readonly answers: readonly AnswerPlan[];
}

export interface MailTelling {
	readonly store: MailStore;
	readonly story: Story;
	/** Begin of the world. */
	readonly startMs: number;
	/** By name. */
	readonly lists: ReadonlyMap<string, MailingList>;
	readonly writer: (name: string) => Writer;
	/** Domain of posting addresses. */
	readonly domain: string;
}

const hourMs = 3_600_000;
/** Transit time of a mail. */
const travelMs = 2000;

/** A discussion with its answers. */
export function tellThread(telling: MailTelling, plan: ThreadPlan): void {
	const list = listOf(telling, plan.list);
	const to = addressOf(telling, list);
	const startMs = Math.floor(telling.startMs + plan.day * 24 * hourMs);
	const seed = `${plan.list} ${plan.subject} ${plan.day}`;
	const base = { to, headers: {} };
	const opening = writeOpening(
		{ ...base, from: telling.writer(plan.who), text: plan.text, atMs: startMs, seed },
		plan.subject,
	);
	const letters: WrittenLetter[] = [opening];
	for (const [at, answer] of plan.answers.entries()) {
		const answered = letters[answer.to];
		check(answered !== undefined, () => new Error(`An answer comes before what it answers: ${answer.text}`));
		const text = answer.quotes === true ? `${quoteSpeech(answered.text)}\n\n${answer.text}` : answer.text;
		const atMs = Math.max(startMs + answer.hours * hourMs, answered.atMs + 60_000);
		const draft = { from: telling.writer(answer.who), to, text, atMs, seed: `${seed} ${at}` };
		letters.push(writeReply(draft, answered));
	}
	letters.forEach((letter) => arrive(telling, list, letter));
}

/** A series with its review. Returns the Message-ID of its first mail. `firstIds`: those of earlier series. */
export function tellSeries(
	telling: MailTelling,
	plan: SentSeries,
	made: MadeSeries,
	firstIds: ReadonlyMap<string, string>,
): string {
	const list = listOf(telling, plan.list);
	const to = addressOf(telling, list);
	const sender = telling.writer(plan.sender ?? plan.author);
	const answers = plan.answers === undefined ? undefined : firstIds.get(plan.answers);
	const sentS = sentAtS(plan, telling.startMs);
	const mails = writePatchMails({ plan, made }, sender, sentS, to, answers);
	mails.forEach((mail) => arrive(telling, list, mail));
	tellReview(telling, plan, list, mails, sender);
	const firstId = mails[0]?.messageId ?? '';
	for (const [status, hours] of plan.moves ?? []) {
		telling.story.at(sentS * 1000 + hours * hourMs, (atMs) => {
			const patchset = telling.store.findEmails(firstId)[0]?.patchset;
			if (patchset !== null && patchset !== undefined) {
				telling.store.setStatus(patchset, status, atMs);
			}
		});
	}
	return firstId;
}

function tellReview(
	telling: MailTelling,
	plan: SentSeries,
	list: MailingList,
	mails: readonly PatchMail[],
	sender: Writer,
): void {
	const sentMs = sentAtS(plan, telling.startMs) * 1000;
	let last: WrittenLetter | undefined;
	for (const [at, reply] of (plan.talk ?? []).entries()) {
		const { to = 'last' } = reply;
		const mail = mails.find(({ index }) => index === to);
		const answered: (Answered & { readonly text: string }) | undefined =
			to === 'last' ? last : mail === undefined ? undefined : { ...mail, from: sender };
		check(answered !== undefined, () => new Error(`A reply to ${plan.key} answers nothing`));
		const isSpeech = to === 'last';
		const atMs = (isSpeech ? answered.atMs : sentMs) + reply.hours * hourMs;
		const said = sayParts(reply.says, answered.text);
		const draft = {
			from: telling.writer(reply.who),
			to: addressOf(telling, list),
			text: isSpeech && !said.startsWith('>') ? `${quoteSpeech(answered.text)}\n\n${said}` : said,
			atMs,
			seed: `${plan.key} ${at}`,
			headers: reply.headers ?? {},
			pack: reply.pack,
		};
		last = writeReply(draft, answered);
		arrive(telling, list, last);
	}
}

function sayParts(parts: readonly ReplyPart[], text: string): string {
	const quoter = createPatchQuoter(text);
	return parts.map((part) => (typeof part === 'string' ? part : quoter.quote(part.q))).join('\n\n');
}

function arrive(
	{ store, story }: MailTelling,
	list: MailingList,
	{ atMs, raw }: { readonly atMs: number; readonly raw: Buffer },
): void {
	story.at(atMs + travelMs, (arrivedMs) => void store.receive(list, raw, arrivedMs));
}

function listOf({ lists }: MailTelling, name: string): MailingList {
	return need(lists.get(name), () => new Error(`The sample world has no list ${name}`));
}

function addressOf({ domain }: MailTelling, { owner, name }: MailingList): string {
	return `~${owner.name}/${name}@${domain}`;
}
