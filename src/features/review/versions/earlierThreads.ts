import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { listKey, type ListRef, type PatchsetRef } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { isWholeView } from '../../../editor/patchDocuments/patchUri.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { EarlierThreads } from '../comments/commentThreads.ts';
import { lastAnswered } from '../comments/lastReviewed.ts';
import { type ShownDocument, threadsOnDocument, type PlacedThread } from '../comments/documentPlaces.ts';
import { earlierReader, type EarlierThread, type EarlierVersions } from './earlierReading.ts';
import { placeOfVersionUri } from '../../lists/subjects/versionUri.ts';

/** The previous result stays during a reload. */
interface FoundThreads {
	/** Version of the threads; `undefined` if there are none. */
	readonly earlier: PatchsetRef | undefined;
	readonly threads: readonly EarlierThread[];
}

/** Known state of a patchset's earlier version. */
interface Known extends WantedThreads, FoundThreads {
	readonly review: PatchsetReview;
	readonly isBeingRead: boolean;
	/** Time of the last partial failure; `undefined` if everything loaded. */
	readonly failedMs: number | undefined;
}

/** A request with its cache key. */
interface WantedThreads {
	readonly key: string;
	readonly connectionKey: string;
	readonly whole: EarlierVersions['whole'];
}

/** Minimum delay before a retry: every draft redraws its document. */
const againMs = 30_000;

/** Cache limit. */
const mostPatchsets = 50;

/**
 * Threads with the account's comments from the last version that has any, on their original lines. Loads in the
 * background and notifies of new results. A document that may bring new whole files triggers another search for lost
 * lines.
 */
export function earlierThreads(
	{ connections, reviews, problems, clock }: ListsContext,
	setting: EarlierSetting,
): EarlierThreads & Disposable {
	const owned = new Disposables();
	const ending = new AbortController();
	const { signal } = ending;
	const changed = owned.add(new Emitter<void>());
	const reader = earlierReader(reviews, clock);
	const known = new Map<string, Known>();
	/** Drawn documents; identity lasts while open. */
	const drawn = new WeakSet<ShownDocument>();
	/** Keys of pending searches in whole files. */
	const due = new Set<string>();
	let isSearching = false;
	owned.add({ dispose: () => ending.abort() });
	owned.add(
		setting.onDidChange(() => {
			changed.fire();
			void searchWhileDue();
		}),
	);
	owned.add(
		connections.onDidChange(() => {
			for (const [key, { connectionKey }] of known) {
				if (!connections.byKey(connectionKey)) {
					known.delete(key);
				}
			}
		}),
	);
	owned.add(
		vscode.workspace.onDidOpenTextDocument(({ uri }) => {
			const pair = placeOfVersionUri(uri)?.pair;
			if (pair) {
				searchAgain(pair.connectionKey, pair.list, [pair.earlier, pair.later]);
			}
		}),
	);

	async function read(
		connection: Connection,
		{ review, whole }: Known,
		log: (error: unknown) => void,
	): Promise<FoundThreads> {
		const version = await lastAnswered(log, connection, review, signal);
		if (!version) {
			return { earlier: undefined, threads: [] };
		}
		const ref = { list: review.ref.list, id: version.patchset.id };
		const earlier = await connection.reviews.read(ref, signal);
		return { earlier: ref, threads: await reader.read({ connection, earlier, later: review, whole }, signal) };
	}

	async function readSoon(connection: Connection, entry: Known): Promise<void> {
		let failedMs: number | undefined;
		const log = (error: unknown): void => {
			failedMs = clock.nowMs();
			problems.log(error);
		};
		let found: FoundThreads | undefined;
		try {
			found = await read(connection, entry, log);
		} catch (error) {
			if (isAbort(error)) {
				return;
			}
			log(error);
		}
		if (known.get(entry.key) === entry) {
			known.set(entry.key, { ...entry, ...found, isBeingRead: false, failedMs });
			if (found) {
				changed.fire();
			}
			void searchWhileDue();
		}
	}

	/** Newly loaded whole files may help these versions. */
	function searchAgain(connectionKey: string, list: ListRef, ids: readonly number[]): void {
		for (const { key, connectionKey: of, review } of known.values()) {
			const isOfThese = review.versions.some(({ patchset }) => ids.includes(patchset.id));
			if (of === connectionKey && listKey(review.ref.list) === listKey(list) && isOfThese) {
				due.add(key);
			}
		}
		void searchWhileDue();
	}

	/** Sequential, because a search may query clones. Waits for running loads, and while nothing is visible. */
	async function searchWhileDue(): Promise<void> {
		if (isSearching) {
			return;
		}
		isSearching = true;
		for (let key = nextDue(); key !== undefined; key = nextDue()) {
			due.delete(key);
			try {
				await searchLost(key);
			} catch (error) {
				problems.log(error);
			}
		}
		isSearching = false;
	}

	function nextDue(): string | undefined {
		return setting.now() && !signal.aborted ? [...due].find((key) => known.get(key)?.isBeingRead !== true) : undefined;
	}

	async function searchLost(key: string): Promise<void> {
		const entry = known.get(key);
		const connection = entry && connections.byKey(entry.connectionKey);
		const earlier = entry?.earlier && connection?.reviews.known(entry.earlier);
		if (!entry || !connection || !earlier) {
			return;
		}
		const versions = { connection, earlier, later: entry.review, whole: entry.whole };
		const threads = await reader.readLost(entry.threads, versions, signal);
		if (threads !== entry.threads && known.get(key) === entry) {
			known.set(key, { ...entry, threads });
			changed.fire();
		}
	}

	/** Starts a load if due. */
	function knownNow(connection: Connection, review: PatchsetReview, wanted: WantedThreads): Known {
		const before = known.get(wanted.key);
		const isDue = before?.failedMs !== undefined && clock.nowMs() - before.failedMs >= againMs;
		if (before?.review === review && !isDue) {
			return before;
		}
		const { earlier, threads = [] } = before ?? {};
		const entry: Known = { ...wanted, review, earlier, threads, isBeingRead: true, failedMs: undefined };
		known.delete(wanted.key);
		known.set(wanted.key, entry);
		[...known.keys()].slice(0, -mostPatchsets).forEach((each) => known.delete(each));
		void readSoon(connection, entry);
		return entry;
	}

	return {
		on(review, document) {
			const connection = connections.byKey(document.place.connectionKey);
			if (!connection || !setting.now()) {
				return [];
			}
			if (isWholeView(document.place.view) && !drawn.has(document)) {
				drawn.add(document);
				searchAgain(connection.key, review.ref.list, [review.ref.id]);
			}
			const { view } = document.place;
			const whole = isWholeView(view) ? view : undefined;
			const repository = whole && [whole.repository ? refText(whole.repository) : ''];
			const { threads } = knownNow(connection, review, {
				key: JSON.stringify([connection.key, listKey(review.ref.list), review.ref.id, repository]),
				connectionKey: connection.key,
				whole,
			});
			return threads.flatMap((each) => placedOn(each, document));
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

function placedOn({ thread, label, inWhole }: EarlierThread, document: ShownDocument): readonly PlacedThread[] {
	const { view, mailId } = document.place;
	if (inWhole && isWholeView(view) && inWhole.at.mailId === mailId && inWhole.at.file === view.fileIndex) {
		const { side, contents, line } = inWhole.at;
		const shown = view.kind === 'wholeBefore' ? ('old' as const) : ('new' as const);
		// An open document stays fixed, possibly at another version of the file.
		if ((shown === 'old' ? contents.before : contents.after) === view.content) {
			return side === shown ? [{ thread: inWhole.thread, line: line - 1, label: inWhole.label }] : [];
		}
	}
	return threadsOnDocument([thread], document).map((placed) => ({ ...placed, label }));
}

/** Toggles comments on earlier versions and confirms it. */
export async function toggleEarlier(setting: EarlierSetting): Promise<void> {
	const isShown = !setting.now();
	await setting.choose(isShown);
	tellBriefly(
		isShown
			? vscode.l10n.t('Your comments on earlier versions are shown.')
			: vscode.l10n.t('Your comments on earlier versions are hidden.'),
	);
}

const section = 'forge';
const key = 'review.earlierComments';

/** The setting `forge.review.earlierComments`: whether comments on an earlier version appear on the next one. */
export type EarlierSetting = ReturnType<typeof earlierSetting>;

export function earlierSetting() {
	const { workspace } = vscode;
	return {
		// Settings may have any type.
		now: () => workspace.getConfiguration(section).get<unknown>(key) !== false,
		/** For the user, in all windows. */
		choose: (isShown: boolean): PromiseLike<void> => workspace.getConfiguration(section).update(key, isShown, true),
		onDidChange: (listener: () => void): Disposable =>
			workspace.onDidChangeConfiguration((change) => {
				if (change.affectsConfiguration(`${section}.${key}`)) {
					listener();
				}
			}),
	};
}
