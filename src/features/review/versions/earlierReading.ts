import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { resting, runResting } from '@forge-desk/base/timeSlice.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { FilePlace } from 'patchmail/patch/patchChain.ts';
import type { WholeSides } from 'patchmail/patch/wholeFile.ts';
import {
	carriedThreads,
	type CarriedThread,
	type CarriedVersions,
	type WholeLine,
	type CarriedVersion,
} from 'patchmail/review/carriedThreads.ts';
import type { ReviewThread } from 'patchmail/review/reviewThreads.ts';
import type { SeriesReading } from 'patchmail/series/seriesReading.ts';
import type { Connection } from '../../../store/connection.ts';
import { isOwnWriter, writerOfRead } from '../../../store/people/sentBy.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { filesOfSeries } from '../../../store/wholeFiles/wholeFiles.ts';
import type { PatchsetReviews } from '../../lists/reviewState/patchsetReviews.ts';
import { comparePair } from './versionTexts.ts';

/** A thread with its version label. */
interface LabelledThread {
	readonly thread: ReviewThread;
	readonly label: string;
}

/** A thread on an earlier version, at its place in a later one. */
export interface EarlierThread extends LabelledThread {
	/** Of the thread in its own version. */
	readonly key: string;
	/** The same on its line of the whole file, if only that has the line. */
	readonly inWhole: (LabelledThread & { readonly at: WholeLine }) | undefined;
	/** The line may be found in whole files, which are not loaded. */
	readonly isLost: boolean;
}

/** Two versions of a patchset and the source of their whole files. */
export interface EarlierVersions {
	readonly connection: Connection;
	readonly earlier: PatchsetReview;
	readonly later: PatchsetReview;
	/** Source of whole files; used only where one is visible. */
	readonly whole: { readonly repository: RepositoryRef | undefined } | undefined;
}

/** Moves the account's threads to their place in a later version. Makes no requests. */
export function earlierReader(reviews: PatchsetReviews, clock: Clock) {
	/** By the earlier version, weakly. */
	const compared = new WeakMap<PatchsetReview, { readonly later: PatchsetReview; readonly by: CarriedByHunks }>();
	const rest = resting(clock);

	function carry(threads: readonly ReviewThread[], versions: CarriedVersions, signal: AbortSignal) {
		return runResting(carriedThreads(threads, versions), rest, signal);
	}

	async function carryByHunks({ connection, earlier, later }: EarlierVersions, signal: AbortSignal) {
		const before = compared.get(earlier);
		if (before?.later === later) {
			return before.by;
		}
		const review = await reviews.of(earlier, signal);
		// The later version has the threads on patches that it keeps.
		const shown = new Set(later.mails.map(({ id }) => id));
		const kept = new Set(later.series.patches.map(({ mail }) => mail.id));
		const isShown = ({ place, comments }: ReviewThread): boolean =>
			'mailId' in place &&
			place.mailId !== undefined &&
			kept.has(place.mailId) &&
			comments.every(({ mail }) => shown.has(mail.id));
		const threads = review.threads.filter(
			(thread) => thread.comments.some(({ mail }) => isOwnWriter(connection, writerOfRead(mail))) && !isShown(thread),
		);
		const pair = { earlier: review.series, later: later.series };
		const range = threads.length === 0 ? undefined : (await comparePair(pair, clock, signal)).compared;
		const pairs = range?.kind === 'compared' ? range.pairs : [];
		const by = { ...pair, pairs, threads, carried: await carry(threads, { ...pair, pairs }, signal) };
		compared.set(earlier, { later, by });
		return by;
	}

	async function readLost(threads: readonly EarlierThread[], versions: EarlierVersions, signal: AbortSignal) {
		const { connection, earlier, whole } = versions;
		const lost = new Set(threads.flatMap((each) => (each.isLost ? [each.key] : [])));
		if (!whole || lost.size === 0) {
			return threads;
		}
		const by = await carryByHunks(versions, signal);
		const found = await wholeVersions(connection, by, lost, whole.repository, signal);
		if (!found) {
			return threads;
		}
		const carried = await carry(found.threads, { ...found, pairs: by.pairs }, signal);
		const told = new Map(carried.map((each) => [each.thread.key, labelled(each, earlier, false)]));
		return threads.map((each) => told.get(each.key) ?? each);
	}

	return {
		async read(versions: EarlierVersions, signal: AbortSignal) {
			const { carried } = await carryByHunks(versions, signal);
			const threads = carried.map((each) => labelled(each, versions.earlier, isLost(each)));
			return readLost(threads, versions, signal);
		},
		/** Searches whole files again; returns the same array if nothing changed. */
		readLost,
	};
}

function labelled(carried: CarriedThread, { patchset: { version } }: PatchsetReview, isStillLost: boolean) {
	const { inWhole, thread } = carried;
	return {
		...worded(carried, version),
		key: thread.key,
		inWhole: inWhole && { ...worded({ ...carried, isChanged: false }, version), at: inWhole },
		isLost: isStillLost,
	};
}

/** A thread that lost its line shows its quoted lines instead. */
function worded({ thread, isChanged }: CarriedThread, version: number): LabelledThread {
	const { place, comments, key } = thread;
	return {
		thread: {
			key: `v${version} ${key}`,
			place,
			comments: isChanged
				? comments.map((comment) => ({ ...comment, place: { kind: 'general', mailId: comment.mail.id } }))
				: comments,
		},
		label: isChanged
			? vscode.l10n.t('On v{0}, where this line was different', version)
			: vscode.l10n.t('On v{0}', version),
	};
}

/** Threads on an earlier version, and their places according to the later version's hunks. */
interface CarriedByHunks {
	readonly pairs: CarriedVersions['pairs'];
	readonly threads: readonly ReviewThread[];
	readonly carried: readonly CarriedThread[];
	readonly earlier: SeriesReading;
	readonly later: SeriesReading;
}

/** True if no hunk of the later version contains the thread's line; whole files may. */
function isLost({ thread: { place }, isChanged }: CarriedThread): boolean {
	return isChanged && 'file' in place;
}

/**
 * Both versions with whole files, and the lost threads whose file is loaded in both; `undefined` if none is. Background
 * work, so it makes no requests. `lost`: keys. `repository`: searched besides clones.
 */
async function wholeVersions(
	connection: Connection,
	{ threads, carried, earlier, later }: CarriedByHunks,
	lost: ReadonlySet<string>,
	repository: RepositoryRef | undefined,
	signal: AbortSignal,
) {
	const places = new Map(carried.map(({ thread: { key, place } }) => [key, place]));
	const wanted = threads.filter(({ key }) => lost.has(key));
	const read = (series: SeriesReading, of: readonly ReviewThread['place'][]): Promise<VersionWithWhole> =>
		withWhole(connection, series, of, repository, signal);
	const one = await read(
		earlier,
		wanted.map(({ place }) => place),
	);
	const known = wanted.filter(({ place }) => one.has(place));
	if (known.length === 0) {
		return undefined;
	}
	const other = await read(
		later,
		known.flatMap(({ key }) => places.get(key) ?? []),
	);
	const found = known.filter(({ key }) => other.has(places.get(key)));
	return found.length === 0 ? undefined : { earlier: one, later: other, threads: found };
}

export interface VersionWithWhole extends CarriedVersion {
	/** True if the whole file of a place is loaded. */
	readonly has: (place: ReviewThread['place'] | undefined) => boolean;
}

/** A version with the whole files of these places, as far as they are loaded. */
export async function withWhole(
	{ wholeFiles, texts }: Connection,
	series: SeriesReading,
	places: readonly ReviewThread['place'][],
	repository: RepositoryRef | undefined,
	signal: AbortSignal,
): Promise<VersionWithWhole> {
	const wanted = new Map(
		places.flatMap((place) => {
			const at = fileAt(series, place);
			return at ? [[keyOf(at), at] as const] : [];
		}),
	);
	const files = wholeFiles.withoutRequests({ ...filesOfSeries(series, (mail) => texts.patchOf(mail)), repository });
	const look = files.look('first');
	await look.prepare([...wanted.values()], signal);
	const found = new Map<string, WholeSides>();
	for (const [key, at] of wanted) {
		const whole = (await look.file(at, signal))?.whole;
		// The lines that comments are on are those that the hunks state.
		if (whole?.kind === 'verified' && whole.hunks.every(({ offset }) => offset === 0)) {
			found.set(key, whole);
		}
	}
	return {
		patches: series.patches,
		whole: (at) => found.get(keyOf(at)),
		has(place) {
			const at = place && fileAt(series, place);
			return at !== undefined && found.has(keyOf(at));
		},
	};
}

function fileAt({ patches }: SeriesReading, place: ReviewThread['place']): FilePlace | undefined {
	return 'file' in place
		? { patch: patches.findIndex(({ mail }) => mail.id === place.mailId), file: place.file }
		: undefined;
}

function keyOf({ patch, file }: FilePlace): string {
	return `${patch} ${file}`;
}
