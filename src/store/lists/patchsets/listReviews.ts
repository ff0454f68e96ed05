import { LRUCache } from 'lru-cache';
import { isAbort } from '@forge-desk/base/abort.ts';
import { isSameValue } from '../../../base/isSameValue.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { type ListRef, type Patchset, type PatchsetRef, listKey } from 'sourcehut/port/list.ts';
import { giftsOf, withTrailerBytes } from 'patchmail/series/comparedTrailers.ts';
import { withEarlierTrailers } from 'patchmail/series/earlierTrailers.ts';
import { secondAddresses, withSamePeople } from 'patchmail/series/samePeople.ts';
import type { GivenTrailer, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { suggestStatus } from 'patchmail/series/suggestions.ts';
import { type OtherVersions, replaces, versionOf, type VersionCorrections } from 'patchmail/series/versions.ts';
import { samePeople } from './samePeople.ts';
import type { KeptText } from '../../shared/keptText.ts';
import type { ListStore } from '../listStore.ts';
import type { ListStoreChange } from '../listChange.ts';
import { mentionsOf } from '../../mentions/mentionReader.ts';
import {
	type FactsContext,
	hasSameStrays,
	readFacts,
	type PatchsetFacts,
	threadsOf,
	usualPrefixes,
} from './patchsetFacts.ts';
import { type EarlierReplies, noEarlierReplies, readEarlierReplies } from './earlierReplies.ts';
import type { PatchsetReview, ReviewFailure, SeriesVersion } from './patchsetReview.ts';
import { keptSize, readingSize } from '../../shared/readingSize.ts';
import { SharedReads } from '@forge-desk/base/sharedFlights.ts';
import type { TicketMentions } from '../../mentions/ticketMentions.ts';
import { readPrerequisites } from './prerequisites.ts';
import { isSameReading, isSameReview, isSameSource } from './sameReview.ts';
import { alikePatchsets, doubtedSenders } from './alikePatchsets.ts';
import { statedLinks, type StatingPatchset } from './statedLinks.ts';
import { versionLinks } from './versionLinks.ts';
import {
	knownVersions,
	partners,
	readVersions,
	versionIndexes,
	type VersionPlaces,
	versionsOfRows,
} from './versionReader.ts';

/** In characters of all cached reviews. */
const mostText = 64_000_000;
/** Fixed cost of a review. */
const overhead = 20_000;
/** Lower versions to read when a number is missing. */
const mostBelowGap = 2;
/** Retry limit for a busy list, whose review may lag. */
const mostTurns = 3;

interface Kept {
	readonly ref: PatchsetRef;
	readonly patchset: Patchset;
	readonly facts: PatchsetFacts;
	/** Reason for missing versions. */
	readonly failure: ReviewFailure | undefined;
	/** Oldest patchset in the version search. */
	readonly oldestId: number;
	/** Trailers of unchanged patches of earlier versions, once these were read. */
	earlier: EarlierReplies;
	/** Second addresses that a clone or the user's identities prove, as from `addressPair`. */
	proven: ReadonlySet<string>;
	/** The last review and its inputs besides the facts. */
	composed: { readonly from: readonly unknown[]; readonly standing: PatchsetReview } | undefined;
	/** The last reported review; `undefined` if stale. */
	told: PatchsetReview | undefined;
}

/** Reviews of patchsets, from all their mails. */
export type PatchsetReviews = ReturnType<typeof listReviews>;

/**
 * Cache of one account's reviews. Facts stay fresh while the stores hold their sources. Versions and suggestions use
 * the data at the time of the call, so the order of events is irrelevant. `links`: store of manual links.
 */
export function listReviews(
	parts: FactsContext & {
		readonly mentions: TicketMentions;
		readonly links: KeptText;
		/** Second addresses that the user confirmed. */
		readonly samePeople: KeptText;
	},
) {
	const { lists, texts, mentions, clock } = parts;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<PatchsetRef>());
	const kept = new LRUCache<string, Kept>({ maxSize: mostText, sizeCalculation: sizeOf });
	const reads = new SharedReads<PatchsetReview>();
	const people = owned.add(samePeople(parts.samePeople));
	const stated = statedLinks(lists);
	const corrected = new WeakMap<VersionCorrections, WeakMap<ReadonlySet<string>, VersionCorrections>>();
	const alike = alikePatchsets(lists, clock);
	const links = versionLinks(parts.links);
	const prefixOf = usualPrefixes(lists);
	const corrections = (ref: PatchsetRef): VersionCorrections => correctionsOf(ref.list, pairsOf(ref));
	const places: VersionPlaces = { lists, corrections, among: versionIndexes(lists) };
	const ofRows = versionsOfRows(lists, (list) => correctionsOf(list, people.pairs()));
	owned.add(onDispose(() => reads.abortAll()));
	owned.add(onDispose(() => kept.clear()));
	owned.add(lists.onDidChange((change) => tellOf(isTouchedBy(change, lists))));
	owned.add(people.onDidChange(() => tellOf(() => true)));
	owned.add(
		texts.onDidRead((id) => {
			const reading = texts.known(id)?.reading;
			tellOf(({ facts }) => {
				const mail = facts.mails.find((each) => each.id === id);
				return mail !== undefined && reading !== undefined && !isSameReading(reading, mail.reading);
			});
		}),
	);

	/** Equal for all numbers that a patchset has had. */
	function keyOf(of: PatchsetRef): string {
		const { list, id } = lists.nowOf(of);
		return `${listKey(list)} ${id}`;
	}

	/** The corrections of a list with second addresses. Returns the same object for the same ones. */
	function correctionsOf(list: ListRef, samePeople: ReadonlySet<string>): VersionCorrections {
		const of = links.of(list);
		const known = corrected.get(of) ?? new WeakMap<ReadonlySet<string>, VersionCorrections>();
		const now = known.get(samePeople) ?? { ...of, samePeople };
		corrected.set(of, known.set(samePeople, now));
		return now;
	}

	function pairsOf(ref: PatchsetRef): ReadonlySet<string> {
		const confirmed = people.pairs();
		const proven = kept.peek(keyOf(ref))?.proven;
		return proven && proven.size > 0 ? new Set([...proven, ...confirmed]) : confirmed;
	}

	function tellOf(isMeant: (entry: Kept) => boolean): void {
		for (const entry of [...kept.values()].filter(isMeant)) {
			const now = isFresh(entry) ? compose(entry) : undefined;
			// A failed part may be available now.
			if (now !== entry.told || !hasNoFailures(entry)) {
				entry.told = now;
				changed.fire(entry.ref);
			}
		}
	}

	function compose(entry: Kept): PatchsetReview {
		const { ref, facts, failure, earlier, proven } = entry;
		const confirmed = people.pairs();
		const patchset = lists.knownPatchset(ref) ?? entry.patchset;
		const listed = lists.patchsets(ref.list).known()?.items;
		const from = [patchset, listed, places.corrections(ref), facts, earlier, proven, confirmed];
		const { composed } = entry;
		if (composed?.from.length === from.length && composed.from.every((each, at) => each === from[at])) {
			return composed.standing;
		}
		const versions = knownVersions(places, { ref, patchset });
		const { from: _sources, ...told } = facts;
		const pairs = new Set([...proven, ...confirmed]);
		const trailers = withEarlierTrailers(
			withSamePeople(facts.trailers, pairs),
			withSamePeople(earlier.trailers, pairs),
		);
		const made: PatchsetReview = {
			...told,
			ref,
			patchset,
			versions,
			trailers: earlier.gifts ? withTrailerBytes(trailers, facts.series.patches, earlier.gifts, pairs) : trailers,
			suggestions: suggestStatus({
				patchset,
				versions,
				series: facts.series,
				thread: facts.mails,
				maintainers: [ref.list.owner],
			}),
			failures: [...facts.failures, failure, earlier.failure].filter((each) => each !== undefined),
		};
		const before = entry.composed?.standing;
		const standing = before && isSameReview(before, made) ? before : made;
		entry.composed = { from, standing };
		return standing;
	}

	/** Tells of a difference. */
	function composeAnew(entry: Kept): PatchsetReview {
		const now = compose(entry);
		if (now !== entry.told) {
			entry.told = now;
			changed.fire(entry.ref);
		}
		return now;
	}

	/** Versions below a missing number: a version in reply is in the thread of one of them. */
	function versionsBelowGap({ ref, patchset }: Kept): readonly PatchsetRef[] {
		const versions = knownVersions(places, { ref, patchset });
		const numbers = versions.map((version) => versionOf(version.patchset));
		const gap = numbers.findIndex((number, at) => number > (numbers[at - 1] ?? number) + 1);
		return versions
			.slice(0, Math.max(0, gap))
			.slice(-mostBelowGap)
			.map(({ patchset: { id } }) => ({ list: ref.list, id }))
			.filter((of) => of.id !== ref.id && !kept.has(keyOf(of)));
	}

	function isFresh(entry: Kept): boolean {
		// The list must reach as far as at the version search.
		const { ref, failure, oldestId } = entry;
		return hasFreshFacts(entry) && failure === undefined && oldestIn(ref.list) <= oldestId;
	}

	/** True while the stores hold the sources of the facts, without failures. */
	function hasFreshFacts({ ref, facts: { from, mails, failures } }: Kept): boolean {
		return (
			failures.length === 0 &&
			lists.knownSeries(ref) === from.series &&
			isSameValue(threadsOf(lists, ref.list, from.series), [...from.threads.keys()]) &&
			[...from.threads].every(([id, mails]) => lists.knownThread(ref.list, id) === mails) &&
			hasSameStrays(lists, ref.list, from) &&
			prefixOf(ref.list) === from.usualPrefix &&
			mails.every(({ id, reading }) => isSameReading(texts.known(id)?.reading ?? reading, reading))
		);
	}

	function oldestIn(list: ListRef): number {
		const known = lists.patchsets(list).known();
		if (known?.completeness.kind !== 'more') {
			return known ? 0 : Number.POSITIVE_INFINITY;
		}
		return known.items.at(-1)?.id ?? Number.POSITIVE_INFINITY;
	}

	async function readNow(given: PatchsetRef, signal: AbortSignal): Promise<PatchsetReview> {
		const before = kept.get(keyOf(given));
		let entry = await readOnce(given, before, signal);
		const { ref } = entry;
		for (let turn = 1; turn < mostTurns && hasNoFailures(entry) && !isFresh(entry); turn += 1) {
			entry = await readOnce(ref, entry, signal);
		}
		kept.set(keyOf(ref), entry);
		for (const of of versionsBelowGap(entry)) {
			// A failure leaves the gap visible.
			try {
				kept.set(keyOf(of), await readOnce(of, undefined, signal));
			} catch (error) {
				if (isAbort(error)) {
					throw error;
				}
			}
		}
		// The server may not know the patchset of a mail, so this records it.
		const subjects = new Map(entry.facts.mails.map(({ id, subject }) => [id, subject]));
		mentions.add(
			entry.facts.tickets.flatMap((ticket) =>
				mentionsOf([ticket], {
					list: ref.list,
					mailId: ticket.mailId,
					patchsetId: ref.id,
					subject: subjects.get(ticket.mailId) ?? '',
				}),
			),
		);
		await noteStated(entry, signal);
		if (links.liken(ref, await alike.note(ref, entry.facts.series, signal))) {
			tellOf(isIn(ref.list));
		}
		const standing = compose(entry);
		entry.told = standing;
		if (!before || !isSameSource(before.facts, entry.facts)) {
			changed.fire(ref);
		}
		return standing;
	}

	async function readOnce(given: PatchsetRef, before: Kept | undefined, signal: AbortSignal): Promise<Kept> {
		// The same turn allows one request for all (`gatheredQuestions.ts`). A later read repeats a failure.
		void Promise.allSettled([
			...(lists.uncached.versions ? [] : [lists.patchsets(given.list).first(signal)]),
			lists.series(given, signal),
			...(lists.uncached.hasWholeThreads ? [] : [lists.posts(given.list).first(signal)]),
		]);
		const patchset = await lists.patchset(given, signal);
		const ref = lists.nowOf(given);
		let failure: ReviewFailure | undefined;
		try {
			await readVersions(places, { ref, patchset }, signal);
			// Stored rows only show versions of their time.
			const stored = lists.uncached.versions ? undefined : lists.patchsets(ref.list).before();
			failure = stored && { part: 'versions', error: stored.error, readAtMs: stored.readAtMs };
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			failure = { part: 'versions', error };
		}
		const facts =
			before && hasFreshFacts(before)
				? before.facts
				: await readFacts(parts, ref, patchset.version, prefixOf(ref.list), signal);
		const oldestId = oldestIn(ref.list);
		const { earlier = noEarlierReplies, proven = new Set<string>() } = before ?? {};
		return { ref, patchset, facts, failure, oldestId, earlier, proven, composed: undefined, told: undefined };
	}

	/** Records the versions that mails state. */
	async function noteStated(entry: Kept, signal: AbortSignal): Promise<void> {
		const { ref } = entry;
		const others = [...kept.values()].filter(isIn(ref.list)).map(stating);
		const known = partners(ref.id, links.of(ref.list).stated);
		const found = await stated.of(stating(entry), others, signal);
		for (const id of found.filter((each) => !known.includes(each))) {
			links.state(ref, { list: ref.list, id });
		}
		if (found.some((each) => !known.includes(each))) {
			tellOf(isIn(ref.list));
		}
	}

	function readShared(ref: PatchsetRef, signal: AbortSignal): Promise<PatchsetReview> {
		const entry = kept.get(keyOf(ref));
		return entry && isFresh(entry)
			? Promise.resolve(compose(entry))
			: reads.read(keyOf(ref), (shared) => readNow(ref, shared), signal);
	}

	function versionsKnown(ref: PatchsetRef): readonly SeriesVersion[] {
		const patchset = lists.knownPatchset(ref);
		return patchset === undefined ? [] : knownVersions(places, { ref, patchset });
	}

	/** Known versions that this one replaces. */
	function earlierVersions(ref: PatchsetRef): readonly Patchset[] {
		const patchset = lists.knownPatchset(ref);
		return patchset === undefined
			? []
			: versionsKnown(ref)
					.filter(({ patchset: other, link }) => replaces({ patchset, link }, other))
					.map((each) => each.patchset);
	}

	return {
		/**
		 * By the number of a patchset: the newest version that replaces it, or a row that looks like one, and whether
		 * another version is known. As far as rows and read mails show. Without a request.
		 */
		versionsIn(list: ListRef) {
			const rows = ofRows(list);
			return (id: number): OtherVersions<Patchset> => {
				const row = rows.get(id);
				const ref = { list, id };
				// Addresses that a clone proves count for one patchset only.
				if (row && pairsOf(ref) === people.pairs()) {
					return row;
				}
				const patchset = lists.knownPatchset(ref);
				const versions = versionsKnown(ref);
				const newest = patchset && versions.findLast((version) => replaces(version, patchset))?.patchset;
				return { newest: newest ?? row?.newest, hasOthers: versions.length > 1 };
			};
		},
		/** Earlier known versions, lowest first. Without a request. */
		earlierVersions,
		known(ref: PatchsetRef) {
			const entry = kept.get(keyOf(ref));
			return entry && compose(entry);
		},
		/** Reads series, thread and versions. A failure drops only its part. */
		read: readShared,
		/** The same with trailers of earlier versions, which are read too. They stay until the next call. */
		async readWithEarlier(ref: PatchsetRef, signal: AbortSignal) {
			const review = await readShared(ref, signal);
			await alike.seekEarlier(review, pairsOf(ref), readShared, signal);
			const versions = earlierVersions(ref).map(({ id, version }) => ({ version, ref: { list: ref.list, id } }));
			const earlier = await readEarlierReplies(review.series, versions, { ...parts, read: readShared }, signal);
			const entry = kept.get(keyOf(ref));
			if (!entry) {
				return review;
			}
			entry.earlier = isSameValue(entry.earlier, earlier) ? entry.earlier : earlier;
			return composeAnew(entry);
		},
		/** Bytes of trailers of other patches, such as unsent ones, against this version and the earlier ones, as read. */
		withBytes(ref: PatchsetRef, trailers: readonly GivenTrailer[], patches: readonly SeriesPatch[]) {
			const entry = kept.get(keyOf(ref));
			const own = entry ? giftsOf({ ...compose(entry), version: entry.patchset.version, id: ref.id }) : [];
			const gifts = [...own, ...(entry?.earlier.gifts ?? [])];
			return withTrailerBytes(trailers, patches, gifts, new Set([...(entry?.proven ?? []), ...people.pairs()]));
		},
		/** Patchsets that a series needs below itself, as its mails state them. */
		async prerequisites(ref: PatchsetRef, signal: AbortSignal) {
			const review = await readShared(ref, signal);
			const loaded = [...kept.values()].filter(isIn(ref.list)).map(compose);
			return readPrerequisites(review, { ...parts, loaded, read: readShared, stated }, signal);
		},
		/** Pairs of people that make trailers and versions doubtful; without those that the user confirmed. */
		doubts(ref: PatchsetRef) {
			const entry = kept.get(keyOf(ref));
			const trailers = entry ? [...entry.facts.trailers, ...entry.earlier.trailers] : [];
			const pairs = people.pairs();
			const ofVersions = doubtedSenders(entry?.patchset, versionsKnown(ref), pairs);
			return [...secondAddresses(withSamePeople(trailers, pairs)), ...ofVersions];
		},
		/** Replaces the proven pairs of a known review, as from `addressPair`. */
		prove(ref: PatchsetRef, pairs: ReadonlySet<string>) {
			const entry = kept.get(keyOf(ref));
			if (entry && !isSameValue([...pairs], [...entry.proven])) {
				entry.proven = pairs;
				composeAnew(entry);
			}
		},
		/** Gives linked patchsets their present numbers. */
		followNumbers: () => links.follow(lists.nowOf),
		/** Links versions manually; persistent. */
		async linkVersions(a: PatchsetRef, b: PatchsetRef) {
			await links.link(a, b);
			tellOf(isIn(a.list));
		},
		async unlinkVersions(a: PatchsetRef, b: PatchsetRef) {
			await links.unlink(a, b);
			tellOf(isIn(a.list));
		},
		/** Second addresses that the user confirmed. */
		samePeople: people,
		/** A review may have changed. */
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** Selects the reviews that a change may affect. */
function isTouchedBy(change: ListStoreChange, lists: ListStore): (entry: Kept) => boolean {
	switch (change.kind) {
		case 'lists':
			return () => true;
		case 'list':
		case 'patchsets':
		case 'posts':
			return isIn(change.list);
		case 'patchset': {
			const { list, id } = change.patchset;
			const successorId = lists.knownPatchset(change.patchset)?.supersededById;
			return (entry) =>
				isIn(list)(entry) &&
				(entry.ref.id === id ||
					entry.ref.id === successorId ||
					entry.composed?.standing.versions.some(({ patchset }) => patchset.id === id) === true);
		}
		case 'thread':
			return (entry) => isIn(change.list)(entry) && entry.facts.from.threads.has(change.id);
	}
}

function stating({ ref, patchset, facts: { stated } }: Kept): StatingPatchset {
	return { ref, patchset, stated };
}

function isIn(list: ListRef): (entry: Kept) => boolean {
	return ({ ref }) => listKey(ref.list) === listKey(list);
}

function hasNoFailures({ facts, failure }: Kept): boolean {
	return failure === undefined && facts.failures.length === 0;
}

function sizeOf({ facts: { mails } }: Kept): number {
	const size = mails.reduce((sum, { reading }) => sum + readingSize(reading), overhead);
	return keptSize(size, mostText);
}
