import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import {
	listKey,
	type EmailId,
	type ListRef,
	type MailingList,
	type Patchset,
	type ShortEmail,
	type ShortList,
} from 'sourcehut/port/list.ts';
import { isAway } from 'sourcehut/port/isAway.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { ArchiveReads } from '../http/archiveReads.ts';
import { isLastPage, type SearchRow } from '../read/searchPage.ts';
import { everyMail, fileQuery, queryOf } from '../read/searchTerms.ts';
import { seriesQuery, settledSeries, type ProvisionalSeries } from '../series/provisionalSeries.ts';
import { asking } from './archiveProblem.ts';
import { inboxUrlOf } from './archiveWeb.ts';
import { versionLinks } from './versionLinks.ts';
import { inSeries, nextPage, numberedMails, ownRow, titleInList } from './numberedMails.ts';
import { readThreads } from './readThreads.ts';
import { mailNumbers, type KeptNumbers, type NamedMail } from './mailNumbers.ts';

/** First mails of threads. Search has no better words for them. */
const firstsQuery = `${everyMail} AND NOT s:re:`;
const rowsOfPage = 200;
/** Searches learn of a mail up to 73 seconds after its arrival. */
const searchLagMs = 120_000;
/** Sites with an index of all their inboxes have it here. */
const inboxOfAll = 'all';
const mailBytes = 32 * 1024 * 1024;
/** Threads to read beside a page. The next reading continues. */
const mostLinked = 3;

/** The program around the lists of a site. */
export interface ArchiveUse {
	/** Names of the followed ones. */
	readonly inboxes: () => readonly string[];
	readonly kept?: KeptNumbers;
	/** The user's email addresses. */
	readonly ownAddresses: (signal: AbortSignal) => Promise<readonly string[]>;
	readonly clock: Clock;
}

/** A mail of a read thread. */
interface PlaceOfMail {
	readonly threadId: number | undefined;
	readonly patchsetId: number | undefined;
	readonly from?: string;
}

interface NewestMail {
	readonly messageId: string;
	readonly dateMs: number;
	readonly sinceMs: number;
	readonly beforeMs: number;
}

/**
 * The lists of a site of archives, for reading. A list is `host/inbox`, and patchsets have no status.
 */
export function archiveLists(
	client: ArchiveReads,
	siteUrl: string,
	{ inboxes, kept, ownAddresses, clock }: ArchiveUse,
): ListApi {
	const host = new URL(siteUrl).host;
	const owner = { canonicalName: host, name: host };
	const ids = mailNumbers(kept, () => clock.nowMs());
	/** The newest mail of each inbox, and the time of the one before. */
	const newestMails = new Map<string, NewestMail>();
	/** Rows of a search name neither thread nor patchset nor address. */
	const places = new Map<number, PlaceOfMail>();
	/** `From` of the user's mails, by Message-ID. */
	const own = new Map<string, string>();
	/** Threads of posts, by `titleInList`. Replies among rows belong there. */
	const titles = new Map<string, number>();
	const links = versionLinks(
		async (ref, query, signal) =>
			(await asking(client.search(urlOf(ref), { query, from: 0, rows: rowsOfPage }, signal))).rows,
		rowPatchset,
	);
	/** Patchsets as their threads have them. A row says less. */
	const opened = new Map<number, Patchset>();

	const urlOf = ({ name }: ListRef): string => inboxUrlOf(siteUrl, name);
	const listOf = (ref: ListRef): ShortList => ({ name: ref.name, owner });
	const refOf = (inbox: string): ListRef => ({ owner: host, name: inbox });
	const threadOf = readThreads(
		client,
		urlOf,
		(ref, raw, signal, linkedTo) => numberedMails(ids, listOf(ref), raw, signal, linkedTo),
		(ref, { mails, sets }) => {
			mails.forEach(({ id, threadId, patchsetId, from = '' }) => places.set(id, { threadId, patchsetId, from }));
			links.read(ref, sets);
		},
		clock,
	);

	function rowMail(ref: ListRef, { messageId, subject, author, dateMs = 0 }: SearchRow): ShortEmail {
		const id = ids.numberOf({ inbox: ref.name, messageId }, dateMs);
		const place = places.get(id);
		const guessed = /^re:/i.test(subject) ? titles.get(titleInList(ref.name, subject)) : undefined;
		return {
			id,
			createdMs: dateMs,
			subject,
			messageId,
			parentId: undefined,
			threadId: place ? (place.threadId ?? id) : guessed,
			list: listOf(ref),
			sender: undefined,
			from: place?.from ?? own.get(messageId) ?? author,
			patchsetId: place?.patchsetId,
		};
	}

	/** Pages of a search, without mails of earlier pages. */
	async function* searched(ref: ListRef, query: string, signal: AbortSignal): Pages<ShortEmail> {
		const seen = new Set<string>();
		for (let from = 0; ;) {
			const page = await asking(client.search(urlOf(ref), { query, from, rows: rowsOfPage }, signal));
			ids.arrived(ref.name, page.rows);
			const rows = page.rows.filter(({ messageId }) => !seen.has(messageId));
			rows.forEach(({ messageId }) => seen.add(messageId));
			const isLast = isLastPage(page, from);
			from = page.to;
			yield {
				items: rows.map((row) => rowMail(ref, row)),
				seen: seen.size,
				completeness: isLast ? { kind: 'complete' } : { kind: 'more', total: page.isEstimate ? undefined : page.total },
			};
			if (isLast) {
				return;
			}
		}
	}

	/** Time of the newest mail that searches find, as far as known. */
	function settled(ref: ListRef, messageId: string, dateMs: number): number {
		const before = newestMails.get(ref.name);
		if (before?.messageId !== messageId) {
			// A mail that arrives late, or after one of the future, is as new as any.
			const ms = Math.min(clock.nowMs(), Math.max(dateMs, (before?.dateMs ?? 0) + 1));
			newestMails.set(ref.name, { messageId, dateMs: ms, sinceMs: clock.nowMs(), beforeMs: before?.dateMs ?? ms });
			return before?.dateMs ?? ms;
		}
		return clock.nowMs() - before.sinceMs < searchLagMs ? before.beforeMs : before.dateMs;
	}

	/** `inbox`: empty for a Message-ID alone. */
	function named(id: EmailId): NamedMail {
		const mail = typeof id === 'number' ? ids.mailOf(id) : { messageId: id.messageId, inbox: id.list?.name ?? '' };
		if (mail === undefined) {
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		return mail;
	}

	/** Reads from the mail's inbox. A Message-ID alone is tried in the followed inboxes, then in the site's inbox for all. */
	async function fromInbox<T>(inbox: string, read: (ref: ListRef) => Promise<T>): Promise<T> {
		const names = inbox === '' ? [...inboxes(), inboxOfAll] : [inbox];
		for (const name of names.slice(0, -1)) {
			try {
				return await read(refOf(name));
			} catch (error) {
				if (!(error instanceof ForgeError) || error.problem.kind !== 'notFound') {
					throw error;
				}
			}
		}
		return await read(refOf(names.at(-1) ?? inboxOfAll));
	}

	function rowPatchset(ref: ListRef, found: ProvisionalSeries): Patchset {
		const { dateMs = 0, subject, prefix, version, author, messageId } = found;
		return {
			id: ids.numberOf({ inbox: ref.name, messageId }, dateMs),
			createdMs: dateMs,
			updatedMs: dateMs,
			subject,
			prefix: prefix === '' ? undefined : prefix,
			version,
			status: 'none',
			isGuess: true,
			...(found.missing.length > 0 ? { missing: { indexes: found.missing, count: found.count } } : {}),
			list: listOf(ref),
			coverLetter: found.cover && rowMail(ref, found.cover),
			supersededById: undefined,
			submitter: own.get(messageId) ?? author,
			replyTo: undefined,
			messageId: found.patches.at(-1)?.messageId ?? messageId,
		};
	}

	async function setOf(ref: ListRef, id: number, signal: AbortSignal) {
		const { messageId } = named(id);
		const older = links.downFrom(id).flatMap((each) => ids.mailOf(each)?.messageId ?? []);
		const read = await threadOf(ref, messageId, 'set', signal, older.slice(1));
		// A row may name another mail of the set as its first one.
		const set =
			read.sets.find((each) => each.id === id) ??
			read.sets.find(({ series: { cover, patches } }) =>
				[cover, ...patches.map(({ mail }) => mail)].some((mail) => mail?.id === id),
			);
		if (!set) {
			throw new ForgeError({ kind: 'notFound', because: 'noPatches' }, { about: messageId });
		}
		return {
			mails: read.mails.map((mail) => (mail.patchsetId === set.id ? { ...mail, patchsetId: id } : mail)),
			set,
		};
	}

	/** Adds the threads of replies, a few threads at a time. */
	async function withPlaces(mails: readonly ShortEmail[], signal: AbortSignal): Promise<readonly ShortEmail[]> {
		const unplaced = mails.filter(({ id, subject }) => /^re:[^[\n]*\[.*patch/i.test(subject) && !places.has(id));
		for (const { messageId, list } of unplaced.slice(0, mostLinked)) {
			try {
				await threadOf(refOf(list?.name ?? ''), messageId, 'set', signal);
			} catch (error) {
				// One unreadable thread must not hide the other mails.
				if (isAbort(error) || isAway(error)) {
					throw error;
				}
			}
		}
		return mails.map((mail) => ({ ...mail, ...places.get(mail.id) }));
	}

	const notOffered = (): Promise<never> => Promise.reject(new ForgeError({ kind: 'notOffered' }, { isUnsent: true }));

	return {
		async *lists(wantedOwner, signal) {
			// Nobody owns a list here, and a site may have thousands.
			if (wantedOwner !== host) {
				return;
			}
			const inboxes = await asking(client.inboxes(siteUrl, signal));
			const items = inboxes.map(({ name, description, modifiedMs = 0 }) =>
				listWith(owner, name, description, modifiedMs),
			);
			yield { items, seen: items.length, completeness: { kind: 'complete' } };
		},
		async list(ref, signal) {
			const { description, addresses } = await asking(client.inbox(urlOf(ref), signal));
			const [address, ...otherAddresses] = addresses;
			const list = listWith(owner, ref.name, description, 0);
			return address === undefined ? list : { ...list, address, otherAddresses };
		},
		posts: (ref, signal) => inSeries(ref, searched(ref, firstsQuery, signal), titles),
		search: (ref, terms, signal) => searched(ref, queryOf(terms), signal),
		fileTerms: (paths) => paths.flatMap((path) => fileQuery(path) ?? []).join(' OR '),
		searchPrefixes: (ref, signal) => asking(client.prefixes(urlOf(ref), signal)),
		async *emailsOf(user, signal) {
			const addresses = user === undefined ? await ownAddresses(signal) : [user].filter((name) => name.includes('@'));
			const query = addresses.map((address) => `f:"${address.replaceAll('"', '')}"`).join(' OR ');
			// A page has the newest mails of all inboxes, because callers may want one page only.
			let seen = 0;
			let walks = query === '' ? [] : inboxes().map((name) => searched(refOf(name), query, signal));
			while (walks.length > 0) {
				const turns = await Promise.all(walks.map(async (walk) => ({ walk, page: await nextPage(walk) })));
				const found = turns.flatMap(({ page }) => page?.items ?? []);
				walks = turns.flatMap(({ walk, page }) => (page?.completeness.kind === 'more' ? [walk] : []));
				const mine = user === undefined ? found.map((mail) => ownRow(mail, addresses)) : [];
				mine.forEach(({ messageId, from = '' }) => own.set(messageId, from));
				const items = user === undefined ? await withPlaces(mine, signal) : found;
				seen += items.length;
				const completeness =
					walks.length > 0 ? ({ kind: 'more', total: undefined } as const) : ({ kind: 'complete' } as const);
				yield { items, seen, completeness };
			}
		},
		activity: {
			mostLists: 1,
			async lastMs(lists, signal) {
				const found = lists.map(async (ref) => {
					const all = await asking(client.newest(urlOf(ref), signal));
					ids.arrived(ref.name, all);
					const [newest] = all;
					return [listKey(ref), settled(ref, newest?.messageId ?? '', newest?.dateMs ?? 0)] as const;
				});
				return new Map(await Promise.all(found));
			},
		},
		hasWholeThreads: true,
		async email(id, signal) {
			const { inbox, messageId, text } = named(id);
			return await fromInbox(inbox, async (ref) => {
				const { mails: raw } = await asking(client.mail(urlOf(ref), messageId, mailBytes, signal));
				const all = await numberedMails(ids, listOf(ref), raw, signal);
				// Mails without the digest of a further text are first texts.
				const mail = all.find((each) => ids.mailOf(each.id)?.text === text);
				if (!mail) {
					throw new ForgeError({ kind: 'notFound' }, { about: messageId });
				}
				return { ...mail, ...places.get(mail.id) };
			});
		},
		async thread(id, signal) {
			const { inbox, messageId } = named(id);
			return await fromInbox(inbox, async (ref) => (await threadOf(ref, messageId, 'mails', signal)).mails);
		},
		/** Rows with one page of search. Their threads decide later, also that a mail begins no set. */
		async *patchsets(ref, signal) {
			let open: readonly SearchRow[] = [];
			let seen = 0;
			for (let from = 0; ;) {
				const page = await asking(client.search(urlOf(ref), { query: seriesQuery, from, rows: rowsOfPage }, signal));
				ids.arrived(ref.name, page.rows);
				const isLast = isLastPage(page, from);
				const { settled: whole, rest } = settledSeries([...open, ...page.rows], page.rows, isLast);
				open = rest;
				const isNone = ({ id }: Patchset): boolean => places.has(id) && places.get(id)?.patchsetId === undefined;
				const guesses = whole.map((each) => rowPatchset(ref, each)).filter((each) => !isNone(each));
				guesses.forEach((each) => links.seen(ref, each));
				const rows = guesses.map((each) => opened.get(each.id) ?? each);
				await links.link(ref, rows, signal);
				const items = rows.map((each) => links.withLinks(each));
				seen += items.length;
				from = page.to;
				yield { items, seen, completeness: isLast ? { kind: 'complete' } : { kind: 'more', total: undefined } };
				if (isLast) {
					return;
				}
			}
		},
		async patchset(ref, signal) {
			const { mails, set } = await setOf(ref.list, ref.id, signal);
			try {
				await links.versionsOf(ref.list, set, signal);
			} catch (error) {
				// A failed search must not hide the series.
				if (isAbort(error)) {
					throw error;
				}
			}
			const { series: _, thread: __, coverLetter, formed: ___, ...facts } = set;
			const patchset: Patchset = {
				...links.withLinks({
					...facts,
					supersededById: undefined,
					updatedMs: facts.createdMs,
					status: 'none',
					list: listOf(ref.list),
					coverLetter: mails.find(({ id }) => id === coverLetter?.id),
					replyTo: undefined,
				}),
				id: ref.id,
			};
			opened.set(ref.id, patchset);
			return patchset;
		},
		async versions(ref, signal) {
			const { set } = await setOf(ref.list, ref.id, signal);
			const found = await links.versionsOf(ref.list, set, signal);
			return found.map((each) => links.withLinks(opened.get(each.id) ?? each));
		},
		async *patches(ref, signal) {
			const { mails, set } = await setOf(ref.list, ref.id, signal);
			const items = set.series.patches.flatMap(({ mail }) => mails.find(({ id }) => id === mail.id) ?? []);
			yield { items, seen: items.length, completeness: { kind: 'complete' } };
		},
		async *subscriptions() {
			yield { items: [], seen: 0, completeness: { kind: 'complete' } };
		},
		create: notOffered,
		update: notOffered,
		setPatchsetStatus: notOffered,
		subscribe: notOffered,
		unsubscribe: notOffered,
	};
}

function listWith(owner: ShortList['owner'], name: string, description: string, updatedMs: number): MailingList {
	return { id: undefined, name, owner, createdMs: 0, updatedMs, description, permissions: undefined };
}
