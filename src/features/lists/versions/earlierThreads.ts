import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Emitter } from '../../../base/event.ts';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { resting, runResting } from '../../../base/timeSlice.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { listKey } from '../../../forge/list.ts';
import { refText } from '../../../forge/namedRef.ts';
import { contentId } from '../../../patch/blobId.ts';
import { isWholeView, type WholeView } from '../../../patchDocuments/patchUri.ts';
import {
	carriedThreads,
	type CarriedThread,
	type CarriedVersions,
	type WholeLine,
} from '../../../review/carriedThreads.ts';
import type { ReviewThread } from '../../../review/reviewThreads.ts';
import type { Connection } from '../../../state/connection.ts';
import type { PatchsetReview } from '../../../state/lists/review/patchsetReview.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import type { EarlierThreads } from '../review/commentThreads.ts';
import { lastAnswered } from '../review/lastReviewed.ts';
import type { ShownDocument } from '../review/shownDocument.ts';
import { threadsOnDocument, type PlacedThread } from '../review/threadsOnDocument.ts';
import type { EarlierSetting } from './earlierSetting.ts';
import { wholeVersions } from './earlierWhole.ts';
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
	/** The same on its line of the whole file, where only that has the line. */
	readonly inWhole: (Pick<LabelledThread, 'thread' | 'label'> & { readonly at: WholeLine }) | undefined;
}

/** What is wanted of a patchset, and its name among what is known. */
interface WantedThreads {
	readonly key: string;
	/** The whole file that is shown; what whole files tell is of no use elsewhere. */
	readonly view: WholeView | undefined;
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
		view: WholeView | undefined,
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
		const carry = (versions: Omit<CarriedVersions, 'pairs'>): Promise<readonly CarriedThread[]> =>
			runResting(carriedThreads(mine, { ...versions, pairs }), resting(clock), signal);
		const carried = await carry(pair);
		const byHunks = { ...pair, threads: mine, carried, repository: view?.repository };
		const whole = view && (await wholeVersions(connection, byHunks, signal));
		return (whole ? await carry(whole) : carried).map((each) => labelled(each, version.patchset.version));
	}

	async function readSoon(connection: Connection, { key, view }: WantedThreads, review: PatchsetReview): Promise<void> {
		let failedMs: number | undefined;
		const log = (error: unknown): void => {
			failedMs = clock.nowMs();
			problems.log(error);
		};
		let threads = known.get(key)?.threads ?? [];
		let isRead = false;
		try {
			threads = await read(connection, review, view, log);
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
			const { key, view } = wantedFor(connection, review, document);
			const before = known.get(key);
			const isDue = before?.failedMs !== undefined && clock.nowMs() - before.failedMs >= againMs;
			if (before?.review !== review || isDue) {
				known.delete(key);
				known.set(key, { review, threads: before?.threads ?? [], failedMs: undefined });
				[...known.keys()].slice(0, -mostPatchsets).forEach((each) => known.delete(each));
				void readSoon(connection, { key, view }, review);
			}
			return (known.get(key)?.threads ?? []).flatMap((each) => placedOn(each, document));
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

function wantedFor({ key }: Connection, { ref }: PatchsetReview, { place: { view } }: ShownDocument): WantedThreads {
	const whole = isWholeView(view) ? view : undefined;
	const repository = whole && [whole.repository ? refText(whole.repository) : ''];
	return { key: JSON.stringify([key, listKey(ref.list), ref.id, repository]), view: whole };
}

function placedOn({ thread, label, inWhole }: LabelledThread, document: ShownDocument): readonly PlacedThread[] {
	const { view, mailId } = document.place;
	if (inWhole && isWholeView(view) && inWhole.at.mailId === mailId && inWhole.at.file === view.fileIndex) {
		const { side, sides, line } = inWhole.at;
		const shown = view.kind === 'wholeBefore' ? ('old' as const) : ('new' as const);
		const content = shown === 'old' ? sides.before : sides.after;
		// A document stays as it was opened, perhaps of another version of the file.
		if (content && contentId(content) === view.content) {
			return side === shown ? [{ thread: inWhole.thread, line: line - 1, label: inWhole.label }] : [];
		}
	}
	return threadsOnDocument([thread], document).map((placed) => ({ ...placed, label }));
}

function labelled(carried: CarriedThread, version: number): LabelledThread {
	const { inWhole } = carried;
	return {
		...worded(carried, version),
		inWhole: inWhole && { ...worded({ ...carried, isChanged: false }, version), at: inWhole },
	};
}

/** What is not on its line any more is shown with the lines that it quotes. */
function worded(
	{ thread, isChanged }: Pick<CarriedThread, 'thread' | 'isChanged'>,
	version: number,
): Pick<LabelledThread, 'thread' | 'label'> {
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
