import { isAbort } from '@forge-desk/base/abort.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { turns } from '@forge-desk/base/timeSlice.ts';
import { minOf, pushAll } from '@forge-desk/base/longArrays.ts';
import { messageIdsIn } from 'patchmail/mail/mailHead.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { ticketsNamed } from '../../mentions/namedTickets.ts';
import { pullRequestIn } from 'patchmail/series/pullRequest.ts';
import { readSeries, type SeriesHints } from 'patchmail/series/series.ts';
import type { NamedTicket, PatchMail, SeriesMail, SeriesReading } from 'patchmail/series/seriesReading.ts';
import { statedVersions } from 'patchmail/series/statedVersions.ts';
import { mailTrailers, trailersOfThread } from 'patchmail/series/threadTrailers.ts';
import type { TrailerLine } from 'patchmail/series/trailerLines.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { listKey, type ListRef, type Patchset, type ShortEmail, type PatchsetRef } from 'sourcehut/port/list.ts';
import { subjectOfThread } from 'patchmail/series/patchSubject.ts';
import { ticketsOfMail } from '../../mentions/mentionReader.ts';
import type { MailTexts, ReadText } from '../listMailTexts.ts';
import type { ListStore } from '../listStore.ts';
import type { MailSummary, Series } from '../mailSummary.ts';
import type { PatchsetReview, ReviewFailure } from './patchsetReview.ts';

/** The mails of a patchset and its thread. */
export interface ReadConversation {
	readonly list: ListRef;
	readonly series: Series;
	/** All mails of its threads. */
	readonly thread: readonly MailSummary[];
}

/** Limit per patchset. */
const mostRoots = 20;
/** The same for threads to request. */
const mostThreads = 50;
/** A reply may arrive before its patch. */
const mostEarlyMs = 24 * 60 * 60_000;

/**
 * First mails of threads that may belong to a patchset: servers start a new thread for a reply whose parent never
 * reached the list, or reached it later (docs/protocol.md#threads). Subjects of the series come first, then the newest.
 */
function strayRoots(posts: readonly ShortEmail[], { series, thread }: ReadConversation): readonly ShortEmail[] {
	const mails = mailsOf(series);
	const sinceMs = minOf(mails.map(({ createdMs }) => createdMs)) - mostEarlyMs;
	const known = new Set([...mails, ...thread].map(({ id }) => id));
	const subjects = new Set(mails.map(subjectKey));
	const isNamed = (mail: ShortEmail): number => (subjects.has(subjectKey(mail)) ? 0 : 1);
	return posts
		.filter((mail) => /^\s*re:/i.test(mail.subject) && (mail.threadId ?? mail.id) === mail.id)
		.filter((mail) => (mail.createdMs >= sinceMs || isNamed(mail) === 0) && !known.has(mail.id))
		.toSorted((a, b) => isNamed(a) - isNamed(b) || b.id - a.id)
		.slice(0, mostRoots);
}

/** True unless a known post now begins another stray thread. */
export function hasSameStrays(
	lists: ListStore,
	list: ListRef,
	{ series, threads, strayRoots: before }: FactSources,
): boolean {
	const posts = lists.posts(list).known()?.items;
	return (
		posts === undefined ||
		before === undefined ||
		isSameValue(
			strayRoots(posts, { list, series, thread: mailsIn(threads) }).map(({ id }) => id),
			before,
		)
	);
}

/** Mails of stray threads that belong to the patchset by `References` or by subject. */
async function readStrays(
	{ lists, texts }: { readonly lists: ListStore; readonly texts: MailTexts },
	roots: readonly ShortEmail[],
	{ list, series, thread }: ReadConversation,
	signal: AbortSignal,
): Promise<readonly MailSummary[]> {
	if (roots.length === 0) {
		return [];
	}
	const named = new Set([...mailsOf(series), ...thread].map(({ messageId }) => messageId));
	const subjects = new Set(mailsOf(series).map(subjectKey));
	const sinceMs = minOf(mailsOf(series).map(({ createdMs }) => createdMs));
	const read = await texts.readAll(
		roots.map(({ id }) => id),
		signal,
	);
	const belongs = ({ id, subject, createdMs }: ShortEmail): boolean => {
		const reading = read.get(id)?.reading;
		const above = reading?.kind === 'read' ? [...reading.mail.references, ...messageIdsIn(reading.mail.inReplyTo)] : [];
		// An earlier mail with this subject may answer an earlier series.
		const isAlike = reading !== undefined && createdMs >= sinceMs && subjects.has(subjectKey({ subject }));
		return isAlike || above.some((name) => named.has(name));
	};
	const found: MailSummary[] = [];
	const left = new Set(roots);
	// A stray reply may answer another one.
	for (let next = roots.find(belongs); next; next = [...left].find(belongs)) {
		left.delete(next);
		const mails = await lists.thread(list, next.id, signal);
		mails.forEach(({ messageId }) => named.add(messageId));
		pushAll(found, mails);
	}
	return found;
}

function mailsOf({ cover, patches }: Series): readonly MailSummary[] {
	return cover ? [cover, ...patches] : patches;
}

function subjectKey({ subject }: Pick<ShortEmail, 'subject'>): string {
	return subjectOfThread(subject).replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Facts from a patchset's mails, and their sources. */
export interface PatchsetFacts extends Omit<PatchsetReview, 'ref' | 'patchset' | 'versions' | 'suggestions'> {
	readonly from: FactSources;
}

/** Facts are fresh while these are identical objects. */
export interface FactSources {
	readonly series: Series;
	/** Threads of its mails, by first mail; `undefined` after a failed read. */
	readonly threads: ReadonlyMap<number, readonly MailSummary[] | undefined>;
	/** Candidate threads; `undefined` after a failed read. */
	readonly strayRoots: readonly number[] | undefined;
	readonly usualPrefix: string | undefined;
}

export interface FactsContext {
	readonly lists: ListStore;
	readonly texts: MailTexts;
	/** The exact origins of the ticket area. */
	readonly todoOrigins: readonly string[];
	readonly clock: Clock;
}

/** Limit for endless threads. Patches come first. */
const mostMails = 2000;

/** Reads the mails of a patchset and its thread. Throws without any patches. */
export async function readFacts(
	parts: FactsContext,
	ref: PatchsetRef,
	version: number,
	usualPrefix: string | undefined,
	signal: AbortSignal,
): Promise<PatchsetFacts> {
	const failures: ReviewFailure[] = [];
	const attempt = async <T>(part: ReviewFailure['part'], work: Promise<T>): Promise<T | undefined> => {
		try {
			return await work;
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failures.push({ part, error });
			return undefined;
		}
	};
	const series = await parts.lists.series(ref, signal);
	const ofSeries = mailsOf(series);
	const threadIds = threadsOf(parts.lists, ref.list, series);
	const [threadId] = threadIds;
	const isKnown = (id: number): boolean => parts.lists.knownThread(ref.list, id) !== undefined;
	const beyond = threadIds.filter((id) => !isKnown(id)).slice(mostThreads);
	const [posts, ...read] = await Promise.all([
		parts.lists.uncached.hasWholeThreads ? { items: [] } : attempt('thread', parts.lists.posts(ref.list).first(signal)),
		...threadIds.map(async (id) => {
			const reading = beyond.includes(id)
				? Promise.reject<readonly MailSummary[]>(new ForgeError({ kind: 'incomplete' }))
				: parts.lists.thread(ref.list, id, signal);
			return [id, await attempt('thread', reading)] as const;
		}),
	]);
	const before = threadIds.map((id) => parts.lists.threadBefore(ref.list, id)).find((each) => each !== undefined);
	if (before) {
		failures.push({ part: 'thread', error: before.error, readAtMs: before.readAtMs });
	}
	const threads = new Map(read);
	const conversation = { list: ref.list, series, thread: mailsIn(threads) };
	const roots = posts && strayRoots(posts.items, conversation);
	const strays = await attempt('thread', readStrays(parts, roots ?? [], conversation, signal));
	const all = [...ofSeries, ...conversation.thread, ...(strays ?? [])];
	const glances = [...new Map(all.map((summary) => [summary.id, summary])).values()].slice(0, mostMails);
	const readings = await attempt('mails', readWithParts(parts.texts, glances, series, signal));
	// In thread order; other mails follow.
	const places = new Map(conversation.thread.map(({ id }, place) => [id, place]));
	const placeOf = ({ id }: MailSummary): number => places.get(id) ?? conversation.thread.length;
	const ordered = glances.toSorted((one, other) => placeOf(one) - placeOf(other));
	const mails = ordered.flatMap((summary) => {
		const text = readings?.get(summary.id) ?? parts.texts.known(summary.id);
		return text === undefined ? [] : [seriesMailOf(text)];
	});
	const hints = {
		coverLetterId: series.cover?.id,
		patchIds: new Set(series.patches.map(({ id }) => id)),
		set: series.set,
		elsewhere: otherVersions(parts.lists, ref, conversation.thread),
		usualPrefix,
		isOfForge: !parts.lists.uncached.hasWholeThreads,
		version,
	};
	const said = await whatMailsSay(parts, { mails, ...hints }, signal);
	return {
		from: { series, threads, strayRoots: roots?.map(({ id }) => id), usualPrefix },
		mails: withoutRawAnswers(mails, said.series),
		threadId,
		// One for all threads.
		failures: failures.filter(({ part }, at) => failures.findIndex((each) => each.part === part) === at),
		...said,
	};
}

/**
 * First mails of the threads of a series, the thread of the cover letter or first patch first. Each patch may be a thread
 * of its own, and a mail that arrived before its parent is one.
 */
export function threadsOf(lists: ListStore, list: ListRef, series: Series): readonly number[] {
	const mails = mailsOf(series);
	const first = mails.find((mail) => mail.threadId !== undefined) ?? mails[0];
	// The server may state a cover letter without its thread.
	const isPlaced = ({ threadId, parentId }: MailSummary): boolean => threadId !== undefined || parentId === undefined;
	const ids = [...(first ? [first] : []), ...mails.filter(isPlaced)].map((mail) => mail.threadId ?? mail.id);
	return [...new Set(ids.flatMap((id) => [id, ...lists.joinedThreads(list, id)]))];
}

/** The mails of several threads. */
function mailsIn(threads: FactSources['threads']): readonly MailSummary[] {
	return [...threads.values()].flatMap((mails) => mails ?? []);
}

/** Mails of other versions in the thread. Those of a set beside the series may be its left-out patches. */
function otherVersions(
	lists: ListStore,
	{ list, id }: PatchsetRef,
	thread: readonly MailSummary[],
): ReadonlySet<number> {
	const base = lists.knownPatchset({ list, id })?.supersedesId;
	const isOther = ({ patchsetId }: MailSummary): boolean => {
		const other = patchsetId === undefined ? undefined : lists.knownPatchset({ list, id: patchsetId });
		const isBeside = other?.formed !== undefined && other.supersedesId === undefined && other.id !== base;
		return patchsetId !== undefined && patchsetId !== id && !isBeside;
	};
	return new Set(thread.filter(isOther).map((mail) => mail.id));
}

/** Reads mails. Parses those of the series at any size. */
export async function readWithParts(
	texts: MailTexts,
	mails: readonly MailSummary[],
	{ cover, patches }: Series,
	signal: AbortSignal,
): Promise<ReadonlyMap<number, ReadText>> {
	const read = new Map(
		await texts.readAll(
			mails.map(({ id }) => id),
			signal,
		),
	);
	for (const { id } of [...(cover ? [cover] : []), ...patches]) {
		if (read.get(id)?.reading.kind === 'raw') {
			read.set(id, await texts.readPart(id, signal));
		}
	}
	return read;
}

/** Yields between mails, since a series may have hundreds. */
async function whatMailsSay(
	{ texts, todoOrigins, clock }: FactsContext,
	{ mails, ...hints }: { readonly mails: readonly SeriesMail[] } & SeriesHints,
	signal: AbortSignal,
): Promise<Pick<PatchsetFacts, 'series' | 'trailers' | 'pullRequest' | 'tickets' | 'stated'>> {
	const turn = turns(clock);
	const patchMails = new Map<number, PatchMail | undefined>();
	const lines = new Map<SeriesMail, readonly TrailerLine[]>();
	for (const mail of mails) {
		patchMails.set(mail.id, texts.patchOf(mail));
		lines.set(mail, mailTrailers(mail));
		await turn(signal);
	}
	const formed = readSeries(mails, { ...hints, patchMails });
	const parts = new Set([formed.cover?.id, ...formed.patches.map(({ mail }) => mail.id)]);
	const raw = mails.filter(({ id, reading }) => reading.kind === 'raw' && !parts.has(id));
	const rawReplies = raw.map(({ id }) => ({ kind: 'rawReply', mailId: id }) as const);
	const series = raw.length === 0 ? formed : { ...formed, problems: [...formed.problems, ...rawReplies] };
	await turn(signal);
	const trailers = trailersOfThread(mails, series, (mail) => lines.get(mail) ?? []);
	await turn(signal);
	const asking = series.cover ?? mails[0];
	const pullRequest = asking && pullRequestIn(asking.reading);
	const tickets = ticketsIn(series, todoOrigins);
	await turn(signal);
	const first = (series.cover ?? series.patches[0]?.mail)?.reading;
	const stated = statedVersions(first?.kind === 'read' ? first.mail.text : '');
	return { series, trailers, pullRequest, tickets, stated };
}

/** Drops the raw text of replies: it may be large, and no review needs it. */
function withoutRawAnswers(mails: readonly SeriesMail[], { cover, patches }: SeriesReading): readonly SeriesMail[] {
	const parts = new Set([cover, ...patches.map(({ mail }) => mail)]);
	return mails.map((mail) =>
		mail.reading.kind === 'raw' && !parts.has(mail) ? { ...mail, reading: { ...mail.reading, text: '' } } : mail,
	);
}

/** Tickets that the cover letter and patches name, without duplicates. A trailer beats a mention. */
function ticketsIn({ cover, patches }: SeriesReading, todoOrigins: readonly string[]): readonly NamedTicket[] {
	const named = [
		...(cover ? ticketsOfMail(cover.id, cover.reading, todoOrigins) : []),
		// The rest is diff, perhaps megabytes.
		...patches.flatMap(({ mail, patch: { message, commentary } }) =>
			ticketsNamed(`${message}\n\n${commentary}`, todoOrigins, mail.id),
		),
	];
	const found = new Map<string, NamedTicket>();
	for (const ticket of named) {
		const key = JSON.stringify([ticket.owner, ticket.name, ticket.id]);
		const known = found.get(key);
		if (known === undefined || (known.trailer === undefined && ticket.trailer !== undefined)) {
			found.set(key, ticket);
		}
	}
	return [...found.values()];
}

export function seriesMailOf({ mail, reading }: ReadText): SeriesMail {
	const { id, messageId, parentId, createdMs, subject, sender, patchsetId } = mail;
	return { id, messageId, parentId, createdMs, subject, account: sender?.canonicalName, patchsetId, reading };
}

/** Fewer patchsets prove no custom. */
const fewest = 4;
/** Required share. */
const mostOf = 0.6;

/** The usual prefix of a list's patchsets, in its usual spelling; `undefined` without a custom. */
function usualPrefix(patchsets: readonly Patchset[]): string | undefined {
	const counts = new Map<string, number>();
	for (const { prefix } of patchsets) {
		if (prefix !== undefined && prefix !== '') {
			counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
		}
	}
	// With a share above one half, the result is unique.
	const usual = [...counts].find(([, count]) => count >= patchsets.length * mostOf)?.[0];
	return patchsets.length >= fewest ? usual : undefined;
}

/** The usual prefixes of lists. Archives serve lists of several projects, and no server reads the prefixes. */
export function usualPrefixes(lists: ListStore): (list: ListRef) => string | undefined {
	const prefixes = new Map<string, { readonly items: readonly Patchset[]; readonly prefix: string | undefined }>();
	return (list) => {
		const items = lists.knownPatchsets(list);
		const before = prefixes.get(listKey(list));
		const now =
			before?.items === items
				? before
				: { items, prefix: lists.uncached.hasWholeThreads ? undefined : usualPrefix(items) };
		prefixes.set(listKey(list), now);
		return now.prefix;
	};
}
