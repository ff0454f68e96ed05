import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Emitter } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { resting, runResting } from '../../../base/timeSlice.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { listKey } from '../../../forge/list.ts';
import { carriedThreads, type CarriedThread } from '../../../review/carriedThreads.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import type { Connection } from '../../../state/connection.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { EarlierThreads } from '../review/commentThreads.ts';
import { lastAnswered } from '../review/lastReviewed.ts';
import { threadsOnDocument } from '../review/threadsOnDocument.ts';
import type { EarlierSetting } from './earlierSetting.ts';
import { comparePair } from './versionTexts.ts';

export interface EarlierThreadsParts extends Pick<ListsParts, 'connections' | 'reviews' | 'problems' | 'clock'> {
	readonly setting: EarlierSetting;
}

/** What is known of a patchset's earlier version. */
interface Known {
	readonly review: PatchsetReview;
	/** While it is read anew, what was known before stands. */
	readonly threads: readonly LabelledThread[];
	/** When something of it could not be read; `undefined` where all was. */
	readonly failedMs: number | undefined;
}

interface LabelledThread {
	readonly thread: ReviewThread;
	readonly label: string;
}

/** What could not be read is asked for again so long after that at the earliest: documents are drawn with each draft. */
const againMs = 30_000;

/** What is kept of patchsets that were looked at last. */
const mostPatchsets = 50;

/**
 * The threads of the last version in which the account wrote, where it wrote in them, on the lines that they were about. Read
 * in the background: whoever asks gets what is known, and hears of more.
 */
export function earlierThreads(parts: EarlierThreadsParts): EarlierThreads & Disposable {
	const { connections, reviews, problems, clock, setting } = parts;
	const owned = new Disposables();
	const ending = new AbortController();
	const changed = owned.add(new Emitter<void>());
	const known = new Map<string, Known>();
	owned.add({ dispose: () => ending.abort() });
	owned.add(setting.onDidChange(() => changed.fire()));

	async function read(
		connection: Connection,
		review: PatchsetReview,
		log: (error: unknown) => void,
	): Promise<readonly LabelledThread[]> {
		const { signal } = ending;
		const version = await lastAnswered({ log }, connection, review, signal);
		if (!version) {
			return [];
		}
		const ref = { list: review.ref.list, id: version.patchset.id };
		const { threads, series } = await reviews.of(await connection.reviews.read(ref, signal), signal);
		const mine = threads.filter(({ comments }) => comments.some(({ mail }) => mail.account === connection.me));
		if (mine.length === 0) {
			return [];
		}
		const pair = { earlier: series, later: review.series };
		const { compared } = await comparePair(pair, clock, signal);
		const pairs = compared.kind === 'compared' ? compared.pairs : [];
		const carried = await runResting(carriedThreads(mine, { ...pair, pairs }), resting(clock), signal);
		return carried.map((each) => labelled(each, version.patchset.version));
	}

	async function readSoon(connection: Connection, key: string, review: PatchsetReview): Promise<void> {
		let failedMs: number | undefined;
		const log = (error: unknown): void => {
			failedMs = clock.nowMs();
			problems.log(error);
		};
		let threads = known.get(key)?.threads ?? [];
		let isRead = false;
		try {
			threads = await read(connection, review, log);
			isRead = true;
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			log(error);
		}
		if (known.get(key)?.review === review) {
			known.set(key, { review, threads, failedMs });
			if (isRead) {
				changed.fire();
			}
		}
	}

	return {
		on(review, document) {
			const connection = connections.byKey(document.place.connectionKey);
			if (!connection || !setting.now()) {
				return [];
			}
			const key = JSON.stringify([connection.key, listKey(review.ref.list), review.ref.id]);
			const before = known.get(key);
			const isDue = before?.failedMs !== undefined && clock.nowMs() - before.failedMs >= againMs;
			if (before?.review !== review || isDue) {
				known.delete(key);
				known.set(key, { review, threads: before?.threads ?? [], failedMs: undefined });
				[...known.keys()].slice(0, -mostPatchsets).forEach((each) => known.delete(each));
				void readSoon(connection, key, review);
			}
			const labels = new Map((known.get(key)?.threads ?? []).map(({ thread, label }) => [thread, label]));
			return threadsOnDocument([...labels.keys()], document).map((placed) => ({
				...placed,
				label: labels.get(placed.thread) ?? '',
			}));
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** What is not on its line any more is shown with the lines that it quotes. */
function labelled({ thread, isChanged }: CarriedThread, version: number): LabelledThread {
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

/** Shows comments on earlier versions, or hides them, and says which. */
export async function toggleEarlier(setting: EarlierSetting): Promise<void> {
	const isShown = !setting.now();
	await setting.choose(isShown);
	tellBriefly(
		isShown
			? vscode.l10n.t('Your comments on earlier versions are shown.')
			: vscode.l10n.t('Your comments on earlier versions are hidden.'),
	);
}
