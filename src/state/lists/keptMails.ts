import type { Clock } from '../../base/clock.ts';
import {
	type Email,
	type ListRef,
	type MailingList,
	type Patchset,
	type PatchsetRef,
	type ShortEmail,
	type Subscription,
	listKey,
} from '../../forge/list.ts';
import { patchSubject } from '../../forge/patchSubject.ts';
import { emailHeadOf, summaryOf, mailingListOf, patchsetOf, shortEmailOf, subscriptionOf } from './keptMailValues.ts';
import { listOf, maybe, text, whole } from '../shared/keptFields.ts';
import { headBytes, headLine, headOf, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** Words by the numbers of patchsets; who shows them knows the words. */
export type PatchsetPlaces = ReadonlyMap<number, string>;

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
	/** The forge refuses it. */
	dropPatchset(ref: PatchsetRef): void;
	/** The conversation that begins with a mail, as it was read last. Never rejects. */
	thread(list: ListRef, id: number): Promise<ReadOnce<readonly MailSummary[]> | undefined>;
	keepThread(list: ListRef, id: number, mails: readonly MailSummary[]): void;
	/** The forge refuses it. */
	dropThread(list: ListRef, id: number): void;
	/** The first rows of a list of things, as they were read last. */
	readonly ownLists: KeptListing<MailingList>;
	/** Mails of the account itself, in all lists, newest first. */
	readonly ownMails: KeptListing<ShortEmail>;
	readonly subscriptions: KeptListing<Subscription>;
	patchsets(list: ListRef): KeptListing<Patchset>;
	/** Under which word each patchset of a list was shown last, by their numbers. Never rejects. */
	places(list: ListRef): Promise<PatchsetPlaces | undefined>;
	keepPlaces(list: ListRef, places: PatchsetPlaces): void;
	posts(list: ListRef): KeptListing<ShortEmail>;
	/** The newest reply of each thread. */
	replies(list: ListRef): KeptListing<ShortEmail>;
	/** Threads with formed patchsets. Never rejects. */
	formed(list: ListRef): Promise<readonly number[] | undefined>;
	keepFormed(list: ListRef, threadIds: readonly number[]): void;
}

/** A longer conversation is not kept: making its file would take longer than a frame. */
const mostMails = 4000;
/** What a number and a word take. */
const bytesOfPlace = 40;
/** A patchset forms when all its mails have come, which are sent one after the other. */
const formingMs = 3_600_000;

/** Mails as texts: a line that says what the text is, and for a mail its envelope after that. */
export function keptMails(kept: KeptTexts, clock: Pick<Clock, 'nowMs'>): KeptMails {
	const readMail = (id: number, name: string): Promise<Email | undefined> =>
		kept.read(name, (written) => mailOf(id, { name, written }));
	const readings = keptReadings(kept, clock);

	return {
		ownLists: readings.listing('lists', mailingListOf),
		ownMails: readings.listing('own mails', shortEmailOf),
		subscriptions: readings.listing('subscriptions', subscriptionOf),
		patchsets: (list) => readings.listing(`patchsets ${listKey(list)}`, patchsetOf),
		places: async (list) => (await readings.read(placesName(list), placesOf))?.value,
		keepPlaces: (list, places) => readings.keep(placesName(list), [...places], bytesOfPlace * places.size),
		posts: (list) => readings.listing(`posts ${listKey(list)}`, shortEmailOf),
		replies: (list) => readings.listing(`replies ${listKey(list)}`, shortEmailOf),
		formed: async (list) => (await readings.read(formedName(list), (value) => listOf(value, whole)))?.value,
		keepFormed: (list, threadIds) => readings.keep(formedName(list), threadIds),
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
		patchset: (ref) => readings.read(patchsetName(ref), patchsetOf),
		keepPatchset: (ref, patchset) => readings.keep(patchsetName(ref), patchset),
		dropPatchset: (ref) => kept.drop(patchsetName(ref)),
		thread: (list, id) => readings.read(threadName(list, id), (value) => listOf(value, summaryOf)),
		keepThread(list, id, mails) {
			if (mails.length <= mostMails) {
				readings.keep(threadName(list, id), mails, headBytes * (mails.length + 1));
			}
		},
		dropThread: (list, id) => kept.drop(threadName(list, id)),
	};
}

function placesName(list: ListRef): string {
	return `places ${listKey(list)}`;
}

function placesOf(value: unknown): PatchsetPlaces {
	return new Map(
		listOf(value, (pair) => {
			const [id, word] = listOf(pair, (each) => each);
			return [whole(id), text(word)];
		}),
	);
}

function formedName(list: ListRef): string {
	return `formed ${listKey(list)}`;
}

function patchsetName({ list, id }: PatchsetRef): string {
	return `patchset ${listKey(list)} ${id}`;
}

function threadName(list: ListRef, id: number): string {
	return `thread ${listKey(list)} ${id}`;
}

function seriesName({ list, id }: PatchsetRef): string {
	return `series ${listKey(list)} ${id}`;
}

function seriesOf(value: unknown): Series {
	const { cover, patches } = fieldsOf(value);
	return { cover: maybe(cover, summaryOf), patches: listOf(patches, summaryOf) };
}

function withoutPatchset({ patchset: _changes, ...summary }: MailSummary): MailSummary {
	return summary;
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

/**
 * A patch or cover letter that the forge counts to no patchset: not yet, or never
 * (docs/protocol.md#how-patchsets-form).
 */
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
