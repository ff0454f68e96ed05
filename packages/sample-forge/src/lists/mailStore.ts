import { decodeCharset } from '../mail/encoding.ts';
import { keptMail, readMessage, type Message, parsePatchSubject, type PatchPlace } from '../mail/message.ts';
import type { User, Users } from '../shared/area.ts';
import { createState } from '../shared/state.ts';
import type { Email, ListPermission, MailingList, Patchset, PatchsetStatus, Subscription } from './mailModel.ts';

/** All lists and mails; the only place that changes them. Callers pass times, so that a world can have a history. */
export type MailStore = ReturnType<typeof createMailStore>;

export interface Received {
	readonly email: Email;
	/** The set that this mail completed. */
	readonly patchset: Patchset | null;
}

const everything: readonly ListPermission[] = ['browse', 'reply', 'post'];

/**
 * `linksVersions`: a new version supersedes the previous one. `rewritesBodies`: stores 8-bit mails like {@link
 * keptMail}.
 */
export function createMailStore(users: Users, linksVersions: boolean, rewritesBodies = false, state = createState()) {
	const { lists, subscriptions, byNumber, byMessageId, counts } = state.part('mails', {
		lists: [] as MailingList[],
		subscriptions: [] as Subscription[],
		byNumber: new Map<string, Email>(),
		byMessageId: new Map<string, Email[]>(),
		counts: { list: 0, email: 0, patchset: 0, subscription: 0, revision: 0 },
	});
	const next = (what: keyof typeof counts): number => {
		counts.revision++;
		counts[what]++;
		return counts[what];
	};

	const addEmail = (list: MailingList, message: Message, messageId: string, raw: Uint8Array, atMs: number): Email => {
		const parent = onList(byMessageId.get(message.inReplyTo ?? ''), list) ?? null;
		const email: Email = {
			id: next('email'),
			list,
			createdMs: atMs,
			messageId,
			message,
			place: parsePatchSubject(message.subject),
			sender: users.byEmail(message.fromAddress) ?? null,
			parent,
			root: parent === null ? null : (parent.root ?? parent),
			answers: [],
			patchset: null,
			text: storedText(rewritesBodies ? keptMail(raw) : raw),
			bytes: storedBytes(raw),
		};
		list.emails.push(email);
		email.root?.answers.push(email);
		byNumber.set(String(email.id), email);
		byMessageId.set(messageId, [...(byMessageId.get(messageId) ?? []), email]);
		return email;
	};

	const addPatchset = (list: MailingList, set: FormedSet, atMs: number): Patchset => {
		const { place, subject, coverLetter, patches } = set;
		const { prefix, version } = place;
		const patchset: Patchset = {
			id: next('patchset'),
			list,
			createdMs: atMs,
			updatedMs: atMs,
			subject,
			prefix,
			version,
			status: 'proposed',
			coverLetter,
			patches,
			supersededBy: null,
		};
		for (const email of coverLetter === null ? patches : [coverLetter, ...patches]) {
			email.patchset = patchset;
		}
		if (linksVersions) {
			list.patchsets.filter((older) => isOlderVersion(older, patchset)).forEach((older) => supersede(older, patchset));
		}
		list.patchsets.push(patchset);
		return patchset;
	};

	const forget = (email: Email): void => {
		byNumber.delete(String(email.id));
		const others = (byMessageId.get(email.messageId) ?? []).filter((each) => each !== email);
		byMessageId.set(email.messageId, others);
	};

	const findSubscription = (user: User, list: MailingList): Subscription | undefined =>
		subscriptions.find((each) => each.user === user && each.list === list);

	/** Undefined when there is one already. */
	const subscribe = (user: User, list: MailingList, atMs: number): Subscription | undefined => {
		if (findSubscription(user, list) !== undefined) {
			return undefined;
		}
		const subscription: Subscription = { id: next('subscription'), user, list, createdMs: atMs };
		subscriptions.push(subscription);
		return subscription;
	};

	return {
		/** Oldest first. */
		lists,
		subscriptions,
		/** Increases with every change; a cached answer is valid for one value. */
		revision: () => counts.revision,
		/** Call after an outside change of permissions. */
		changed: () => void counts.revision++,
		/** Subscribes the owner. */
		addList(owner: User, name: string, description: string | null, atMs: number) {
			const list: MailingList = {
				id: next('list'),
				owner,
				name,
				createdMs: atMs,
				updatedMs: atMs,
				description,
				permissions: { nonsubscriber: everything, subscriber: everything, account: everything },
				emails: [],
				patchsets: [],
			};
			lists.push(list);
			subscribe(owner, list, atMs);
			return list;
		},
		describeList(list: MailingList, description: string | null, atMs: number) {
			counts.revision++;
			Object.assign(list, { description, updatedMs: atMs });
		},
		removeList(list: MailingList) {
			counts.revision++;
			lists.splice(lists.indexOf(list), 1);
			list.emails.forEach(forget);
			const kept = subscriptions.filter((each) => each.list !== list);
			subscriptions.length = 0;
			for (const each of kept) {
				subscriptions.push(each);
			}
		},
		/** By number or by Message-ID with brackets, in all lists: oldest first. */
		findEmails(id: string): readonly Email[] {
			const numbered = byNumber.get(id);
			return numbered === undefined ? (byMessageId.get(id) ?? []) : [numbered];
		},
		findPatchset: (id: number): Patchset | undefined =>
			lists.flatMap(({ patchsets }) => patchsets).find((each) => each.id === id),
		/** Adds a mail; undefined when its Message-ID is on the list already or missing. */
		receive(list: MailingList, raw: Uint8Array, atMs: number): Received | undefined {
			const message = readMessage(raw);
			const { messageId } = message;
			if (messageId === undefined || onList(byMessageId.get(messageId), list) !== undefined) {
				return undefined;
			}
			const email = addEmail(list, message, messageId, raw, atMs);
			list.updatedMs = atMs;
			const root = email.root ?? email;
			const set = formSet([root, ...root.answers], email);
			return { email, patchset: set === undefined ? null : addPatchset(list, set, atMs) };
		},
		setStatus(patchset: Patchset, status: PatchsetStatus, atMs: number) {
			counts.revision++;
			Object.assign(patchset, { status, updatedMs: atMs });
		},
		subscribe,
		unsubscribe(subscription: Subscription) {
			counts.revision++;
			subscriptions.splice(subscriptions.indexOf(subscription), 1);
		},
		findSubscription,
	};
}

function onList(emails: readonly Email[] | undefined, list: MailingList): Email | undefined {
	return emails?.find((email) => email.list === list);
}

/** Stores mail as UTF-8 text, like observed servers; this damages 8-bit mail in other charsets. */
function storedText(raw: Uint8Array): string {
	const text = decodeCharset(raw, 'utf-8').replaceAll(/\r\n|\r|\n/g, '\r\n');
	return text.replace(/^From [^\r]*\r\n/, '');
}

/** The bytes with the line ends of the transport. */
function storedBytes(raw: Uint8Array): Uint8Array {
	const text = Buffer.from(raw)
		.toString('latin1')
		.replaceAll(/\r\n|\r|\n/g, '\r\n');
	return Buffer.from(text.replace(/^From [^\r]*\r\n/, ''), 'latin1');
}

function isOlderVersion(older: Patchset, newer: Patchset): boolean {
	const open = older.status === 'proposed' || older.status === 'needs_revision';
	const same = older.subject === newer.subject && older.prefix === newer.prefix;
	return open && same && older.version < newer.version && submitterOf(older) === submitterOf(newer);
}

/** From header of the last patch (docs/protocol.md#patchset-fields). */
export function submitterOf({ patches }: Patchset): string {
	return patches.at(-1)?.message.from ?? '';
}

function supersede(older: Patchset, newer: Patchset): void {
	Object.assign(older, { status: 'superseded', supersededBy: newer, updatedMs: newer.createdMs });
}

/** The mails that make up a set. */
interface FormedSet {
	readonly place: PatchPlace;
	readonly subject: string;
	readonly coverLetter: Email | null;
	/** Index 1 to n. */
	readonly patches: readonly [Email, ...Email[]];
}

/**
 * The set that `newest` completes, if any (docs/protocol.md#how-patchsets-form): patches 1 to n of one prefix, version
 * and count within one thread that holds no set yet. Only mails with a diff in their text count as patches.
 */
function formSet(thread: readonly Email[], newest: Email): FormedSet | undefined {
	const { place } = newest;
	const taken = thread.some(({ patchset }) => patchset !== null);
	if (place === undefined || taken || !countsFor(newest, place.index)) {
		return undefined;
	}
	const byIndex = seriesByIndex(thread, place);
	const first = byIndex.get(1);
	const rest = Array.from({ length: Math.max(0, place.count - 1) }, (_, at) => byIndex.get(at + 2));
	const found = rest.filter((email) => email !== undefined);
	if (first === undefined || place.count === 0 || found.length < rest.length) {
		return undefined;
	}
	const coverLetter = byIndex.get(0) ?? null;
	const subject = (coverLetter ?? first).place?.subject ?? '';
	return { place, subject, coverLetter, patches: [first, ...found] };
}

/** Of several mails with one index the oldest counts. */
function seriesByIndex(thread: readonly Email[], place: PatchPlace): ReadonlyMap<number, Email> {
	const byIndex = new Map<number, Email>();
	for (const email of thread) {
		const index = email.place?.index;
		const fits = index !== undefined && isSameSeries(email.place, place) && countsFor(email, index);
		if (fits && !byIndex.has(index)) {
			byIndex.set(index, email);
		}
	}
	return byIndex;
}

function countsFor(email: Email, index: number): boolean {
	return index === 0 || email.message.holdsPatch;
}

function isSameSeries(a: PatchPlace | undefined, b: PatchPlace): boolean {
	return a?.prefix === b.prefix && a.version === b.version && a.count === b.count;
}
