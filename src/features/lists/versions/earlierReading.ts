import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { resting, runResting } from '../../../base/timeSlice.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import {
	carriedThreads,
	type CarriedThread,
	type CarriedVersions,
	type WholeLine,
} from '../../../review/carriedThreads.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import type { Connection } from '../../../state/connection.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import type { PatchsetReviews } from '../review/patchsetReviews.ts';
import { isLost, wholeVersions, type CarriedByHunks } from './earlierWhole.ts';
import { comparePair } from './versionTexts.ts';

/** A thread, and what says which version it is on. */
interface LabelledThread {
	readonly thread: ReviewThread;
	readonly label: string;
}

/** A thread on an earlier version, at its place in a later one. */
export interface EarlierThread extends LabelledThread {
	/** Of the thread in its own version. */
	readonly key: string;
	/** The same on its line of the whole file, where only that has the line. */
	readonly inWhole: (LabelledThread & { readonly at: WholeLine }) | undefined;
	/** Whole files could tell where its line is; they were not known. */
	readonly isLost: boolean;
}

/** Two versions of a patchset, and where their whole files are looked for. */
export interface EarlierVersions {
	readonly connection: Connection;
	readonly earlier: PatchsetReview;
	readonly later: PatchsetReview;
	/** What whole files tell is of use where one is shown, and is not looked for elsewhere. */
	readonly whole: { readonly repository: RepositoryRef | undefined } | undefined;
}

/** Puts the threads that the account wrote in where they belong in a later version. Sends no request. */
export interface EarlierReader {
	read(versions: EarlierVersions, signal: AbortSignal): Promise<readonly EarlierThread[]>;
	/** Looks for whole files once more; the very same threads where these tell nothing more. */
	readLost(
		threads: readonly EarlierThread[],
		versions: EarlierVersions,
		signal: AbortSignal,
	): Promise<readonly EarlierThread[]>;
}

export function earlierReader(reviews: PatchsetReviews, clock: Clock): EarlierReader {
	/** By the earlier version, for as long as that is known. */
	const compared = new WeakMap<PatchsetReview, { readonly later: PatchsetReview; readonly by: CarriedByHunks }>();
	const rest = resting(clock);

	function carry(
		threads: readonly ReviewThread[],
		versions: CarriedVersions,
		signal: AbortSignal,
	): Promise<readonly CarriedThread[]> {
		return runResting(carriedThreads(threads, versions), rest, signal);
	}

	async function carryByHunks(
		{ connection: { me }, earlier, later }: EarlierVersions,
		signal: AbortSignal,
	): Promise<CarriedByHunks> {
		const before = compared.get(earlier);
		if (before?.later === later) {
			return before.by;
		}
		const review = await reviews.of(earlier, signal);
		const threads = review.threads.filter(({ comments }) => comments.some(({ mail }) => mail.account === me));
		const pair = { earlier: review.series, later: later.series };
		const range = threads.length === 0 ? undefined : (await comparePair(pair, clock, signal)).compared;
		const pairs = range?.kind === 'compared' ? range.pairs : [];
		const by = { ...pair, pairs, threads, carried: await carry(threads, { ...pair, pairs }, signal) };
		compared.set(earlier, { later, by });
		return by;
	}

	async function readLost(
		threads: readonly EarlierThread[],
		versions: EarlierVersions,
		signal: AbortSignal,
	): Promise<readonly EarlierThread[]> {
		const { connection, earlier, whole } = versions;
		const lost = new Set(threads.flatMap((each) => (each.isLost ? [each.key] : [])));
		if (!whole || lost.size === 0) {
			return threads;
		}
		const by = await carryByHunks(versions, signal);
		const found = await wholeVersions(connection, { ...by, ...whole, lost }, signal);
		if (!found) {
			return threads;
		}
		const carried = await carry(found.threads, { ...found, pairs: by.pairs }, signal);
		const told = new Map(carried.map((each) => [each.thread.key, labelled(each, earlier, false)]));
		return threads.map((each) => told.get(each.key) ?? each);
	}

	return {
		async read(versions, signal) {
			const { carried } = await carryByHunks(versions, signal);
			const threads = carried.map((each) => labelled(each, versions.earlier, isLost(each)));
			return readLost(threads, versions, signal);
		},
		readLost,
	};
}

function labelled(
	carried: CarriedThread,
	{ patchset: { version } }: PatchsetReview,
	isStillLost: boolean,
): EarlierThread {
	const { inWhole, thread } = carried;
	return {
		...worded(carried, version),
		key: thread.key,
		inWhole: inWhole && { ...worded({ ...carried, isChanged: false }, version), at: inWhole },
		isLost: isStillLost,
	};
}

/** What is not on its line any more is shown with the lines that it quotes. */
function worded({ thread, isChanged }: Pick<CarriedThread, 'thread' | 'isChanged'>, version: number): LabelledThread {
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
