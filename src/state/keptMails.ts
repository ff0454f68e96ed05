import type { Clock } from '../base/clock.ts';
import type { Email, ListRef, MailingList, Patchset, PatchsetRef, ShortEmail, Subscription } from '../forge/list.ts';
import { patchSubject } from '../forge/patchSubject.ts';
import { keptListing } from './keptListing.ts';
import {
	emailHeadOf,
	glanceOf,
	listOf,
	mailingListOf,
	maybe,
	patchsetOf,
	shortEmailOf,
	subscriptionOf,
	text,
	time,
	whole,
} from './keptMailValues.ts';
import { fieldsOf } from './keptValues.ts';
import type { KeptListing, ReadOnce } from './listing.ts';
import type { MailGlance } from './listMails.ts';
import { listKey } from './listShelf.ts';
import type { Series } from './patchsetSeries.ts';

/** Texts of one account by name, where they outlive the window. */
export interface KeptTexts {
	/**
	 * What `open` makes of a text. `undefined` for what is not kept, or is no longer whole; what `open` refuses by throwing
	 * is removed. Never rejects.
	 */
	read<T>(name: string, open: (text: string) => T): Promise<T | undefined>;
	/** Begins to keep a text. Nobody waits for it, and it may be given up. */
	keep(name: string, content: LateText): void;
	/** Begins to remove a text, after what is to be kept already. */
	drop(name: string): void;
}

/** A text that is made when there is time for it. */
export interface LateText {
	readonly aboutBytes: number;
	/** `undefined` for what is not to be kept. */
	readonly text: () => string | undefined;
	/** True for what takes the place of what is kept already; else that stays. */
	readonly isNewer: boolean;
}

/** Mails of one account's lists, where they outlive the window. They never change, so what is kept holds for ever. */
export interface KeptMails {
	/** `undefined` for what is not kept, or is no longer whole. Never rejects. */
	mail(id: number): Promise<Email | undefined>;
	/**
	 * The same of a patch that was kept when it had just come, and that the forge counted to no patchset: that may only not
	 * have been known yet.
	 */
	youngPatch(id: number): Promise<Email | undefined>;
	/** `isNewer`: the forge counts the mail to another patchset than when it was kept. */
	keepMail(mail: Email, isNewer: boolean): void;
	/** The number of the mail that was found by a Message-ID. Never rejects. */
	numberOf(messageId: string): Promise<number | undefined>;
	keepNumber(messageId: string, id: number): void;
	/** Which mails are the series of a patchset. Never rejects. */
	series(ref: PatchsetRef): Promise<Series | undefined>;
	/** They never change either. */
	keepSeries(ref: PatchsetRef, series: Series): void;
	/** A patchset as it was read last. Never rejects. */
	patchset(ref: PatchsetRef): Promise<ReadOnce<Patchset> | undefined>;
	keepPatchset(ref: PatchsetRef, patchset: Patchset): void;
	/** The conversation that begins with a mail, as it was read last. Never rejects. */
	thread(list: ListRef, id: number): Promise<ReadOnce<readonly MailGlance[]> | undefined>;
	keepThread(list: ListRef, id: number, mails: readonly MailGlance[]): void;
	/** The first rows of a list of things, as they were read last. */
	readonly ownLists: KeptListing<MailingList>;
	readonly subscriptions: KeptListing<Subscription>;
	patchsets(list: ListRef): KeptListing<Patchset>;
	posts(list: ListRef): KeptListing<ShortEmail>;
}

/** Changes with the format, so that what an older version wrote is dropped and read anew. */
const version = 1;
/** A longer conversation is not kept: making its file would take longer than a frame. */
const mostMails = 4000;
/** A patchset forms when all its mails have come, which are sent one after the other. */
const formingMs = 3_600_000;
/** What a mail takes beside its text. */
const headBytes = 1000;

/** Mails as texts: a line that says what the text is, and for a mail its envelope after that. */
export function keptMails(kept: KeptTexts, clock: Pick<Clock, 'nowMs'>): KeptMails {
	const readMail = (id: number, name: string): Promise<Email | undefined> =>
		kept.read(name, (written) => mailOf(id, { name, written }));
	/** By the name of its file. */
	function listing<T>(name: string, itemOf: (value: unknown) => T): KeptListing<T> {
		return keptListing({
			itemOf,
			read: (open) => kept.read(name, (written) => readOnceOf(headOf(name, written), open)),
			keep: (count, value) =>
				kept.keep(name, {
					aboutBytes: headBytes * (count + 1),
					text: () => headLine(name, { value: value(), readAtMs: clock.nowMs() }),
					isNewer: true,
				}),
		});
	}

	return {
		ownLists: listing('lists', mailingListOf),
		subscriptions: listing('subscriptions', subscriptionOf),
		patchsets: (list) => listing(`patchsets ${listKey(list)}`, patchsetOf),
		posts: (list) => listing(`posts ${listKey(list)}`, shortEmailOf),
		mail: async (id) => (await readMail(id, mailName(id))) ?? readMail(id, loosePatchName(id)),
		youngPatch: (id) => readMail(id, youngPatchName(id)),
		keepMail(mail, isNewer) {
			const { envelope, patchset: _changes, ...head } = mail;
			const name = nameOf(mail, clock.nowMs());
			kept.keep(name, {
				aboutBytes: envelope.length + headBytes,
				// Half a character cannot be written as it is, and a mail is kept as it came or not at all.
				text: () => (envelope.isWellFormed() ? `${headLine(name, head)}\n${envelope}` : undefined),
				isNewer,
			});
			// The same text under the names of a patch without patchset would take its room a second time.
			if (mayHaveBeenLoose(mail)) {
				[youngPatchName(mail.id), loosePatchName(mail.id)]
					.filter((each) => each !== name)
					.forEach((each) => kept.drop(each));
			}
		},
		numberOf: (messageId) =>
			kept.read(numberName(messageId), (written) => whole(headOf(numberName(messageId), written))),
		keepNumber(messageId, id) {
			const name = numberName(messageId);
			kept.keep(name, { aboutBytes: headBytes, text: () => headLine(name, id), isNewer: true });
		},
		series: (ref) => kept.read(seriesName(ref), (written) => seriesOf(headOf(seriesName(ref), written))),
		keepSeries(ref, { cover, patches }) {
			const name = seriesName(ref);
			// What the server says of the patchset with its mails may change.
			const value = { cover: cover && withoutPatchset(cover), patches: patches.map(withoutPatchset) };
			kept.keep(name, {
				aboutBytes: headBytes * (patches.length + 1),
				text: () => headLine(name, value),
				isNewer: false,
			});
		},
		patchset: (ref) =>
			kept.read(patchsetName(ref), (written) => readOnceOf(headOf(patchsetName(ref), written), patchsetOf)),
		keepPatchset(ref, patchset) {
			const [name, value] = [patchsetName(ref), { value: patchset, readAtMs: clock.nowMs() }];
			kept.keep(name, { aboutBytes: headBytes, text: () => headLine(name, value), isNewer: true });
		},
		thread: (list, id) =>
			kept.read(threadName(list, id), (written) =>
				readOnceOf(headOf(threadName(list, id), written), (value) => listOf(value, glanceOf)),
			),
		keepThread(list, id, mails) {
			if (mails.length > mostMails) {
				return;
			}
			const [name, value] = [threadName(list, id), { value: mails, readAtMs: clock.nowMs() }];
			const aboutBytes = headBytes * (mails.length + 1);
			kept.keep(name, { aboutBytes, text: () => headLine(name, value), isNewer: true });
		},
	};
}

function patchsetName({ list, id }: PatchsetRef): string {
	return `patchset ${listKey(list)} ${id}`;
}

function threadName(list: ListRef, id: number): string {
	return `thread ${listKey(list)} ${id}`;
}

function readOnceOf<T>(written: unknown, read: (value: unknown) => T): ReadOnce<T> {
	const { value, readAtMs } = fieldsOf(written);
	return { value: read(value), readAtMs: time(readAtMs) };
}

function seriesName({ list, id }: PatchsetRef): string {
	return `series ${listKey(list)} ${id}`;
}

function seriesOf(value: unknown): Series {
	const { cover, patches } = fieldsOf(value);
	return { cover: maybe(cover, glanceOf), patches: listOf(patches, glanceOf) };
}

function withoutPatchset({ patchset: _changes, ...glance }: MailGlance): MailGlance {
	return glance;
}

function numberName(messageId: string): string {
	return `number ${messageId}`;
}

function mailName(id: number): string {
	return `mail ${id}`;
}

/** What is kept of a mail does not stand in the way of the same mail once it is counted to a patchset. */
function nameOf(mail: Email, nowMs: number): string {
	if (!isLoosePatch(mail)) {
		return mailName(mail.id);
	}
	return nowMs - mail.createdMs < formingMs ? youngPatchName(mail.id) : loosePatchName(mail.id);
}

function loosePatchName(id: number): string {
	return `loose patch ${id}`;
}

function youngPatchName(id: number): string {
	return `young patch ${id}`;
}

/** A patch or cover letter that the forge counts to no patchset: not yet, or never (observed-behaviour 5.4). */
function isLoosePatch(mail: Email): boolean {
	return mail.patchsetId === undefined && mayHaveBeenLoose(mail);
}

function mayHaveBeenLoose({ isPatch, subject }: Email): boolean {
	return isPatch || patchSubject(subject)?.isReply === false;
}

function mailOf(id: number, { name, written }: { readonly name: string; readonly written: string }): Email {
	const end = written.indexOf('\n');
	const head = emailHeadOf(headOf(name, written.slice(0, Math.max(0, end))));
	if (head.id !== id) {
		throw new Error('The file holds another mail');
	}
	return { ...head, envelope: written.slice(end + 1) };
}

function headLine(name: string, value: object | number): string {
	return JSON.stringify({ version, name, value });
}

function headOf(name: string, line: string): unknown {
	const { version: written, name: own, value } = fieldsOf(JSON.parse(line));
	if (written !== version || text(own) !== name) {
		throw new Error('The file does not begin as it should');
	}
	return value;
}
