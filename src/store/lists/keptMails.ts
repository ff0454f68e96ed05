import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ExtraField } from 'sourcehut/port/extra.ts';
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
	type ListPermissions,
	type PatchsetTool,
	type ShortList,
} from 'sourcehut/port/list.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import type { StatedChanges } from 'sourcehut/port/statedChanges.ts';
import type { ShortUser } from 'sourcehut/port/user.ts';
import { headBytes, headLine, headOf, keptReadings, type KeptTexts } from '../shared/keptReadings.ts';
import { type FieldsOf, keptWord, maybe, time, whole } from '../shared/keptText.ts';
import type { KeptListing, ReadOnce } from '../shared/listing.ts';
import type { MailSummary, Series } from './mailSummary.ts';

/** Board words by patchset number. */
export type PatchsetPlaces = ReadonlyMap<number, string>;

/** Writing a longer thread would take longer than a frame. */
const mostMails = 4000;
const bytesOfPlace = 40;
/** The mails of a series arrive one by one, and the patchset forms after the last one. */
const formingMs = 3_600_000;

/** Disk cache of one account's lists. Mails never change, so entries stay valid. */
export type KeptMails = ReturnType<typeof keptMails>;

/** File format: a line of JSON, followed by the envelope for a mail. */
export function keptMails(kept: KeptTexts, clock: Clock) {
	const readMail = (id: number, name: string): Promise<Email | undefined> =>
		kept.read(name, (written) => mailOf(id, name, written));
	const readings = keptReadings(kept, clock);

	return {
		/** First rows of each listing. */
		ownLists: readings.listing('lists', of(mailingList)),
		/** The account's own mails in all lists, newest first. */
		ownMails: readings.listing('own mails', of(shortEmail)),
		subscriptions: readings.listing('subscriptions', of(subscription)),
		patchsets: (list: ListRef): KeptListing<Patchset> => readings.listing(`patchsets ${listKey(list)}`, of(patchset)),
		/** Last board word of each patchset. Never rejects. */
		places: async (list: ListRef): Promise<PatchsetPlaces | undefined> =>
			(await readings.read(placesName(list), (value) => new Map(v.parse(places, value))))?.value,
		keepPlaces: (list: ListRef, words: PatchsetPlaces) =>
			readings.keep(placesName(list), [...words], bytesOfPlace * words.size),
		posts: (list: ListRef): KeptListing<ShortEmail> => readings.listing(`posts ${listKey(list)}`, of(shortEmail)),
		/** The newest reply of each thread. */
		replies: (list: ListRef): KeptListing<ShortEmail> => readings.listing(`replies ${listKey(list)}`, of(shortEmail)),
		/** Threads with formed patchsets. Never rejects. */
		formed: async (list: ListRef): Promise<readonly number[] | undefined> =>
			(await readings.read(formedName(list), of(numbers)))?.value,
		keepFormed: (list: ListRef, threadIds: readonly number[]) => readings.keep(formedName(list), threadIds),
		/** `undefined` for a missing or truncated file. Never rejects. */
		mail: async (id: number) => (await readMail(id, mailName(id))) ?? readMail(id, loosePatchName(id)),
		/** A patch from shortly after its arrival, without a patchset: that may have formed since. */
		youngPatch: (id: number) => readMail(id, youngPatchName(id)),
		/** `isNewer`: the patchset of the mail changed since the last write. */
		keepMail(mail: Email, isNewer: boolean) {
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
		/** Number of a mail by Message-ID. Never rejects. */
		numberOf: (messageId: string) =>
			kept.read(numberName(messageId), (written) => v.parse(whole, headOf(numberName(messageId), written))),
		keepNumber(messageId: string, id: number) {
			const name = numberName(messageId);
			kept.keep(name, { aboutBytes: headBytes, text: () => headLine(name, id), isNewer: true });
		},
		/** The mails of a patchset. Never rejects. */
		series: (ref: PatchsetRef): Promise<Series | undefined> =>
			kept.read(seriesName(ref), (written) => v.parse(series, headOf(seriesName(ref), written))),
		/** A series never changes. */
		keepSeries(ref: PatchsetRef, { cover, patches }: Series) {
			const name = seriesName(ref);
			// The patchset data of a mail may change.
			const value = { cover: cover && withoutPatchset(cover), patches: patches.map(withoutPatchset) };
			kept.keep(name, {
				aboutBytes: headBytes * (patches.length + 1),
				text: () => headLine(name, value),
				isNewer: false,
			});
		},
		/** Never rejects. */
		patchset: (ref: PatchsetRef): Promise<ReadOnce<Patchset> | undefined> =>
			readings.read(patchsetName(ref), of(patchset)),
		keepPatchset: (ref: PatchsetRef, patchset: Patchset) => readings.keep(patchsetName(ref), patchset),
		/** Call after a refusal. */
		dropPatchset: (ref: PatchsetRef) => kept.drop(patchsetName(ref)),
		/** The last reading of a thread. Never rejects. */
		thread: (list: ListRef, id: number): Promise<ReadOnce<readonly MailSummary[]> | undefined> =>
			readings.read(threadName(list, id), of(summaries)),
		/** Returns the time of the reading, also of a thread that is too long. */
		keepThread: (list: ListRef, id: number, mails: readonly MailSummary[]): number =>
			mails.length > mostMails
				? clock.nowMs()
				: readings.keep(threadName(list, id), mails, headBytes * (mails.length + 1)),
		/** Call after a refusal. */
		dropThread: (list: ListRef, id: number) => kept.drop(threadName(list, id)),
	};
}

/** A reader that throws on invalid values. */
function of<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T {
	return (value) => v.parse(schema, value);
}

function placesName(list: ListRef): string {
	return `places ${listKey(list)}`;
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
	if (mail.patchsetId !== undefined || !mayHaveBeenLoose(mail)) {
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

/** A patch or cover letter may have no patchset so far (docs/protocol.md#how-patchsets-form). */
function mayHaveBeenLoose({ isPatch, subject }: Email): boolean {
	return isPatch || patchSubject(subject)?.isReply === false;
}

function mailOf(id: number, name: string, written: string): Email {
	const end = written.indexOf('\n');
	const head = v.parse(emailHead, headOf(name, written.slice(0, Math.max(0, end))));
	if (head.id !== id) {
		throw new Error('The file holds another mail');
	}
	return { ...head, envelope: written.slice(end + 1) };
}

/*
 * Schemas of mails on disk. A file may be truncated or come from another version, so each schema is as strict as for
 * server data.
 */

const shortUser = v.object({ canonicalName: v.string(), name: v.string() } satisfies FieldsOf<ShortUser>);
const extra = v.exactOptional(
	v.array(v.object({ name: v.string(), json: maybe(v.string()) } satisfies FieldsOf<ExtraField>)),
);
const shortList = v.object({ name: v.string(), owner: shortUser } satisfies FieldsOf<ShortList>);
const status = keptWord(patchsetStatuses);

const shortEmail = v.object({
	id: whole,
	createdMs: time,
	subject: v.string(),
	messageId: v.string(),
	parentId: maybe(whole),
	threadId: maybe(whole),
	list: maybe(shortList),
	sender: maybe(shortUser),
	from: v.exactOptional(v.string()),
	patchsetId: maybe(whole),
	patchset: v.exactOptional(v.object({ version: whole, status })),
	extra,
} satisfies FieldsOf<ShortEmail>);

/** A mail without its text, which has a file part of its own. */
const emailHead = v.object({
	...shortEmail.entries,
	isPatch: v.boolean(),
	isRequestPull: v.boolean(),
	replies: whole,
	participants: whole,
} satisfies FieldsOf<Omit<Email, 'envelope'>>);

const summary = v.object({
	...shortEmail.entries,
	isPatch: maybe(v.boolean()),
	changes: maybe(v.object({ files: whole, insertions: whole, deletions: whole } satisfies FieldsOf<StatedChanges>)),
	hasDiff: v.exactOptional(v.boolean()),
	author: v.exactOptional(v.string()),
	statedMs: v.exactOptional(v.number()),
	above: v.exactOptional(v.array(v.string())),
} satisfies FieldsOf<MailSummary>);
const summaries = v.array(summary);
const series = v.object({ cover: maybe(summary), patches: summaries } satisfies FieldsOf<Omit<Series, 'set'>>);

const tool = v.object({
	id: whole,
	updatedMs: time,
	state: keptWord(toolStates),
	details: v.string(),
} satisfies FieldsOf<PatchsetTool>);

const patchset = v.object({
	id: whole,
	createdMs: time,
	updatedMs: time,
	subject: v.string(),
	prefix: maybe(v.string()),
	version: whole,
	status,
	isGuess: v.exactOptional(v.literal(true)),
	missing: v.exactOptional(v.object({ indexes: v.array(whole), count: whole })),
	list: maybe(shortList),
	coverLetter: maybe(shortEmail),
	supersededById: maybe(whole),
	supersedesId: v.exactOptional(whole),
	tools: v.exactOptional(v.array(tool)),
	submitter: maybe(v.string()),
	replyTo: maybe(v.string()),
	messageId: maybe(v.string()),
	extra,
} satisfies FieldsOf<Omit<Patchset, 'formed'>>);

const permissionList = v.array(keptWord(listPermissionWords));
const permissions = v.object({
	mine: v.exactOptional(permissionList),
	nonsubscriber: maybe(permissionList),
	subscriber: maybe(permissionList),
	account: maybe(permissionList),
} satisfies FieldsOf<ListPermissions>);

const mailingList = v.object({
	...shortList.entries,
	id: maybe(whole),
	rid: v.exactOptional(v.string()),
	createdMs: time,
	updatedMs: time,
	description: maybe(v.string()),
	permissions: maybe(permissions),
	address: v.exactOptional(v.string()),
	otherAddresses: v.exactOptional(v.array(v.string())),
	extra,
} satisfies FieldsOf<MailingList>);

const subscription = v.object({ id: whole, createdMs: time, list: shortList } satisfies FieldsOf<Subscription>);
const numbers = v.array(whole);
const places = v.array(v.tuple([whole, v.string()]));
