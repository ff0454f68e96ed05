import type { Story } from '../story.ts';
import type { MailingList } from '../../lists/mailModel.ts';
import type { MailStore } from '../../lists/mailStore.ts';
import {
	type MadeSeries,
	type PatchMail,
	type ReplyPart,
	sentAtS,
	type SentSeries,
	writePatchMails,
} from './patchMails.ts';
import { createPatchQuoter, quoteSpeech } from './quoting.ts';
import { writeOpening, writeReply, type Answered, type WrittenLetter } from './replies.ts';
import type { Writer } from './writers.ts';

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
		if (answered === undefined) {
			throw new Error(`An answer comes before what it answers: ${answer.text}`);
		}
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
	const mails = writePatchMails({ plan, made, sender, sentS, to, answers });
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
		if (answered === undefined) {
			throw new Error(`A reply to ${plan.key} answers nothing`);
		}
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
	const list = lists.get(name);
	if (list === undefined) {
		throw new Error(`The sample world has no list ${name}`);
	}
	return list;
}

function addressOf({ domain }: MailTelling, { owner, name }: MailingList): string {
	return `~${owner.name}/${name}@${domain}`;
}
