import type { Clock } from '../../base/clock.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import {
	type Email,
	type ListRef,
	type MailingList,
	type Patchset,
	type PatchsetRef,
	type ShortEmail,
	type Subscription,
	listKey,
	listPermissionWords,
	patchsetStatuses,
	toolStates,
	type ListPermission,
	type ListPermissions,
	type PatchsetStatus,
	type PatchsetTool,
	type ShortList,
} from '../../forge/port/list.ts';
import { patchSubject } from '../../forge/port/patchSubject.ts';
import type { StatedChanges } from '../../forge/port/statedChanges.ts';
import { listOf, maybe, text, whole, flag, time, extraFieldOf, shortUserOf, keptWord } from '../shared/keptFields.ts';
import { headBytes, headLine, headOf, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** Board words by patchset number. */
export type PatchsetPlaces = ReadonlyMap<number, string>;

/** Disk cache of one account's lists. Mails never change, so entries stay valid. */
export interface KeptMails {
	/** `undefined` for a missing or truncated file. Never rejects. */
	mail(id: number): Promise<Email | undefined>;
	/** A patch from shortly after its arrival, without a patchset: that may have formed since. */
	youngPatch(id: number): Promise<Email | undefined>;
	/** `isNewer`: the patchset of the mail changed since the last write. */
	keepMail(mail: Email, isNewer: boolean): void;
	/** Number of a mail by Message-ID. Never rejects. */
	numberOf(messageId: string): Promise<number | undefined>;
	keepNumber(messageId: string, id: number): void;
	/** The mails of a patchset. Never rejects. */
	series(ref: PatchsetRef): Promise<Series | undefined>;
	/** A series never changes. */
	keepSeries(ref: PatchsetRef, series: Series): void;
	/** Never rejects. */
	patchset(ref: PatchsetRef): Promise<ReadOnce<Patchset> | undefined>;
	keepPatchset(ref: PatchsetRef, patchset: Patchset): void;
	/** Call after a refusal. */
	dropPatchset(ref: PatchsetRef): void;
	/** The last reading of a thread. Never rejects. */
	thread(list: ListRef, id: number): Promise<ReadOnce<readonly MailSummary[]> | undefined>;
	keepThread(list: ListRef, id: number, mails: readonly MailSummary[]): void;
	/** Call after a refusal. */
	dropThread(list: ListRef, id: number): void;
	/** First rows of each listing. */
	readonly ownLists: KeptListing<MailingList>;
	/** The account's own mails in all lists, newest first. */
	readonly ownMails: KeptListing<ShortEmail>;
	readonly subscriptions: KeptListing<Subscription>;
	patchsets(list: ListRef): KeptListing<Patchset>;
	/** Last board word of each patchset. Never rejects. */
	places(list: ListRef): Promise<PatchsetPlaces | undefined>;
	keepPlaces(list: ListRef, places: PatchsetPlaces): void;
	posts(list: ListRef): KeptListing<ShortEmail>;
	/** The newest reply of each thread. */
	replies(list: ListRef): KeptListing<ShortEmail>;
	/** Threads with formed patchsets. Never rejects. */
	formed(list: ListRef): Promise<readonly number[] | undefined>;
	keepFormed(list: ListRef, threadIds: readonly number[]): void;
}

/** Writing a longer thread would take longer than a frame. */
const mostMails = 4000;
const bytesOfPlace = 40;
/** The mails of a series arrive one by one, and the patchset forms after the last one. */
const formingMs = 3_600_000;

/** File format: a line of JSON, followed by the envelope for a mail. */
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
				// A lone surrogate cannot be written, and a damaged copy is worse than none.
				text: () => (envelope.isWellFormed() ? `${headLine(name, head)}\n${envelope}` : undefined),
				isNewer,
			});
			// Saves the space of a second copy.
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
			// The patchset data of a mail may change.
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

/** Separate names, so a patch without a patchset never hides the same mail with one. */
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

/** A patch or cover letter without a patchset so far (docs/protocol.md#how-patchsets-form). */
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

/*
 * Decoders for mails on disk. A file may be truncated or come from another version, so each decoder is as strict as for
 * server data and throws on invalid values.
 */

/** A mail without its text, which has a file part of its own. */
type EmailHead = Omit<Email, 'envelope'>;

function emailHeadOf(value: unknown): EmailHead {
	const { isPatch, isRequestPull, replies, participants } = fieldsOf(value);
	return {
		...shortEmailOf(value),
		isPatch: flag(isPatch),
		isRequestPull: flag(isRequestPull),
		replies: whole(replies),
		participants: whole(participants),
	};
}

function summaryOf(value: unknown): MailSummary {
	const { isPatch, changes } = fieldsOf(value);
	return { ...shortEmailOf(value), isPatch: maybe(isPatch, flag), changes: maybe(changes, changesOf) };
}

function changesOf(value: unknown): StatedChanges {
	const { files, insertions, deletions } = fieldsOf(value);
	return { files: whole(files), insertions: whole(insertions), deletions: whole(deletions) };
}

function patchsetOf(value: unknown): Patchset {
	const { id, createdMs, updatedMs, subject, prefix, version, status, list, coverLetter, ...rest } = fieldsOf(value);
	const { supersededById, supersedesId, tools, submitter, replyTo, messageId, extra } = rest;
	return {
		id: whole(id),
		createdMs: time(createdMs),
		updatedMs: time(updatedMs),
		subject: text(subject),
		prefix: maybe(prefix, text),
		version: whole(version),
		status: statusOf(status),
		list: maybe(list, shortListOf),
		coverLetter: maybe(coverLetter, shortEmailOf),
		supersededById: maybe(supersededById, whole),
		...(supersedesId === undefined ? {} : { supersedesId: whole(supersedesId) }),
		...(tools === undefined ? {} : { tools: listOf(tools, toolOf) }),
		submitter: maybe(submitter, text),
		replyTo: maybe(replyTo, text),
		messageId: maybe(messageId, text),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function toolOf(value: unknown): PatchsetTool {
	const { id, updatedMs, state, details } = fieldsOf(value);
	return { id: whole(id), updatedMs: time(updatedMs), state: keptWord(toolStates, state), details: text(details) };
}

function shortEmailOf(value: unknown): ShortEmail {
	const { id, createdMs, subject, messageId, parentId, threadId, list, sender, from, ...rest } = fieldsOf(value);
	const { patchsetId, patchset, extra } = rest;
	return {
		id: whole(id),
		createdMs: time(createdMs),
		subject: text(subject),
		messageId: text(messageId),
		parentId: maybe(parentId, whole),
		threadId: maybe(threadId, whole),
		list: maybe(list, shortListOf),
		sender: maybe(sender, shortUserOf),
		...(from === undefined ? {} : { from: text(from) }),
		patchsetId: maybe(patchsetId, whole),
		...(patchset === undefined ? {} : { patchset: shortPatchsetOf(patchset) }),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function shortPatchsetOf(value: unknown): Pick<Patchset, 'version' | 'status'> {
	const { version, status } = fieldsOf(value);
	return { version: whole(version), status: statusOf(status) };
}

function statusOf(value: unknown): PatchsetStatus {
	return keptWord(patchsetStatuses, value);
}

function mailingListOf(value: unknown): MailingList {
	const { id, rid, createdMs, updatedMs, description, permissions, extra } = fieldsOf(value);
	return {
		...shortListOf(value),
		id: maybe(id, whole),
		...(rid === undefined ? {} : { rid: text(rid) }),
		createdMs: time(createdMs),
		updatedMs: time(updatedMs),
		description: maybe(description, text),
		permissions: maybe(permissions, permissionsOf),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function permissionsOf(value: unknown): ListPermissions {
	const { mine, nonsubscriber, subscriber, account } = fieldsOf(value);
	const wordsOf = (words: unknown): readonly ListPermission[] =>
		listOf(words, (word) => keptWord(listPermissionWords, word));
	return {
		...(mine === undefined ? {} : { mine: wordsOf(mine) }),
		nonsubscriber: maybe(nonsubscriber, wordsOf),
		subscriber: maybe(subscriber, wordsOf),
		account: maybe(account, wordsOf),
	};
}

function subscriptionOf(value: unknown): Subscription {
	const { id, createdMs, list } = fieldsOf(value);
	return { id: whole(id), createdMs: time(createdMs), list: shortListOf(list) };
}

function shortListOf(value: unknown): ShortList {
	const { name, owner } = fieldsOf(value);
	return { name: text(name), owner: shortUserOf(owner) };
}
