import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { isUnreachable } from 'sourcehut/port/isAway.ts';
import { isHopeless } from 'sourcehut/port/isHopeless.ts';
import type { Connections } from '../../store/connection.ts';
import type { BulkPart, PlannedWrites, WriteJournal } from '../../store/shared/writeJournal.ts';
import { cancelled, choose, type Choice } from '../ask/ask.ts';
import { askToResume, resumedParts } from '../ask/askToResume.ts';
import { withCountedProgress, withProgress } from '../ask/progress.ts';
import { notify, tellBriefly } from '../ask/notify.ts';
import type { Problems } from '../ask/problems.ts';
import { actHistory, type Act } from './actHistory.ts';
import {
	itemsToTryAgain,
	runBulk,
	type BulkItem,
	type BulkOutcome,
	type BulkResult,
	type BulkSubject,
} from './runBulk.ts';

/** Something to be done to one thing or to many. */
export interface BulkJob<Subject, Wish, Done> {
	/** Title of the progress: "Resolving as fixed…". */
	readonly heading: string;
	/** Result with the counted things: "Resolved 3 tickets as fixed.". */
	readonly result: (counted: string) => string;
	readonly items: readonly BulkItem<Subject, Wish>[];
	/** Results of chosen things without a write: unchanged ones, and ones that failed to load. */
	readonly unsent?: readonly BulkResult<Subject, Wish, Done>[];
	/** Title of the undo progress: "Undoing label changes…". Absent if the change has no undo. */
	readonly undoing?: string;
	/** Receives the results of each run, including retries, before the user sees them. */
	readonly ended?: (results: readonly BulkResult<Subject, Wish, Done>[]) => void;
}

/** The rest of an interrupted job. */
export interface ResumedJob<Subject, Wish, Done> extends Omit<BulkJob<Subject, Wish, Done>, 'items'> {
	readonly undoing: string;
	/** "The status was changed on 1 of 8 tickets when the window closed." */
	readonly stopped: (counted: string) => string;
}

/** The act to undo: a given one, or the newest about the things on screen, or the newest at all. */
export type UndoWhat<Subject, Change> =
	| { readonly kind: 'act'; readonly act: Act<Change> }
	| { readonly kind: 'newest'; readonly inFront: readonly Subject[] };

/** Undo of one change. `notes`: sentences about parts without undo. */
export type Undoing<Wish> =
	| { readonly kind: 'wish'; readonly wish: Wish; readonly notes?: readonly string[] }
	/** Nothing is left to undo. */
	| { readonly kind: 'settled'; readonly notes?: readonly string[] }
	| { readonly kind: 'leftAlone'; readonly reason: string };

/** The things that a bulk change is about, such as tickets. `Sent`: what the store answers to a write. */
export interface BulkKind<Subject extends BulkSubject, Wish, Done, Change, Sent> {
	readonly connections: Connections;
	readonly problems: Problems;
	/** Concurrent writes. */
	readonly atOnce: number;
	/** Tells subjects apart. */
	readonly nameOf: (subject: Subject) => string;
	/** "3 tickets", or "2 of 3 tickets". */
	readonly counted: (done: number, all: number) => string;
	/** Journals the items of an account; `undefined` if the account is gone. */
	readonly plan: (
		connectionKey: string,
		items: readonly BulkItem<Subject, Wish>[],
	) => Promise<PlannedWrites<Sent> | undefined>;
	/** Sends an item outside of a plan. */
	readonly send: (item: BulkItem<Subject, Wish>, signal: AbortSignal) => Promise<Sent>;
	/** Writes one item by `send`. May reject with a refusal. `cancelled`: by the user, unlike `signal`. */
	readonly write: (
		item: BulkItem<Subject, Wish>,
		send: (signal: AbortSignal) => Promise<Sent>,
		signal: AbortSignal,
		cancelled: AbortSignal,
	) => Promise<BulkOutcome<Wish, Done>>;
	/** The undoable change of a result. */
	readonly changeOf: (result: BulkResult<Subject, Wish, Done>) => Change | undefined;
	/** False if the server's state differs from the wish. */
	readonly isAsWanted: (done: Done) => boolean;
	readonly outcomeText: (item: BulkItem<Subject, Wish>, outcome: BulkOutcome<Wish, Done>) => string;
	/** Name of a thing in the list of outcomes. */
	readonly row: (subject: Subject) => { readonly label: string; readonly description?: string };
	readonly open: (subject: Subject) => unknown;
	/** Reports a single item. Throws an error that has its own next step, such as signing in. */
	readonly tellOne: (
		item: BulkItem<Subject, Wish>,
		outcome: BulkOutcome<Wish, Done>,
		again: (item: BulkItem<Subject, Wish>) => Promise<void>,
	) => void;
	readonly undo: {
		/** Title of the progress: "Checking tickets…". */
		readonly checking: string;
		/** Loads the thing, so that later changes by others survive. */
		readonly undoing: (change: Change, signal: AbortSignal) => Promise<Undoing<Wish>>;
		/** Ask even if the user chose Undo in the notice of this act. */
		readonly asksFromNotice: boolean;
		readonly isMeant: (items: readonly BulkItem<Subject, Wish>[]) => Promise<boolean>;
		readonly result: (items: readonly BulkItem<Subject, Wish>[], counted: string) => string;
		/** Reports that nothing could be undone. */
		readonly tellNothing: (left: readonly BulkResult<Subject, Wish, Done>[]) => void;
	};
}

type Answer<Subject> =
	| { readonly kind: 'open'; readonly subject: Subject }
	| { readonly kind: 'tryAgain' }
	| { readonly kind: 'undo' };

/** Changes of many things, with progress, outcomes, retry and undo. */
export function bulkChanges<
	Subject extends BulkSubject,
	Wish,
	Done,
	Change extends { readonly subject: Subject; readonly wish: Wish },
	Sent,
>(kind: BulkKind<Subject, Wish, Done, Change, Sent>) {
	type Item = BulkItem<Subject, Wish>;
	type Outcome = BulkOutcome<Wish, Done>;
	type Result = BulkResult<Subject, Wish, Done>;
	type Job = BulkJob<Subject, Wish, Done>;

	const { connections, problems } = kind;
	const history = actHistory<Subject, Change>(kind.nameOf);

	/** Writes, reports the outcomes and records them for Undo. */
	async function carryOut(job: Job, signal: AbortSignal): Promise<void> {
		const { items, unsent = [] } = job;
		const [item] = items;
		if (item && items.length === 1 && unsent.length === 0) {
			const outcome = await carryOutOne(job, item, signal);
			return kind.tellOne(item, outcome, (again) => carryOut({ ...job, items: [again] }, signal));
		}
		const plans = await Promise.all(
			[...Map.groupBy(items, ({ subject }) => subject.connectionKey)].map(async ([key, own]) => ({
				own,
				plan: await kind.plan(key, own),
			})),
		);
		const planned = (each: Item): ((sending: AbortSignal) => Promise<Sent>) => {
			const { own, plan } = plans.find((of) => of.own.includes(each)) ?? {};
			return own && plan ? (sending) => plan.send(own.indexOf(each), sending) : sendOf(each);
		};
		const results = await withCountedProgress({ title: job.heading, total: items.length, signal }, (cancelling, step) =>
			runBulk(items, kind.atOnce, (each) => kind.write(each, planned(each), signal, cancelling), step, cancelling),
		);
		const act = ended(job, results);
		// The journals forget the items only after their results were recorded.
		await Promise.all(plans.map(async ({ plan }) => plan?.end()));
		showResults(job, [...results, ...unsent], act, signal);
	}

	/** Writes one item without a message. */
	async function carryOutOne(job: Omit<Job, 'items'>, item: Item, signal: AbortSignal): Promise<Outcome> {
		const outcome = await withProgress(job.heading, signal, (working) =>
			kind.write(item, sendOf(item), working, working),
		).catch((error: unknown): Outcome => {
			if (isAbort(error)) {
				throw error;
			}
			return { kind: 'refused', error };
		});
		ended(job, [{ item, outcome }]);
		return outcome;
	}

	function sendOf(item: Item): (signal: AbortSignal) => Promise<Sent> {
		return (sending) => kind.send(item, sending);
	}

	function ended({ undoing, ended: tell }: Omit<Job, 'items'>, results: readonly Result[]): Act<Change> | undefined {
		tell?.(results);
		return undoing === undefined
			? undefined
			: history.record(
					undoing,
					results.flatMap((each) => kind.changeOf(each) ?? []),
				);
	}

	/**
	 * Reports each item: a notice on complete success, otherwise a list with the outcomes in which a choice opens the
	 * thing. Returns at once, because an open list must not block the command.
	 */
	function showResults(job: Job, results: readonly Result[], act: Act<Change> | undefined, signal: AbortSignal): void {
		const done = results.filter(({ outcome }) => isGood(outcome)).length;
		const count = job.result(kind.counted(done, results.length));
		const queued = results.filter(({ outcome }) => outcome.kind === 'queued').length;
		const shown = done === results.length ? tellGood() : list();
		shown.catch((error: unknown) => {
			if (!isAbort(error)) {
				void problems.show(error);
			}
		});

		async function tellGood(): Promise<void> {
			const [undoIt, show] = [vscode.l10n.t('Undo'), vscode.l10n.t('Show Details')];
			const chosen = await notify('information', count, ...(act ? [undoIt, show] : [show]));
			if (chosen === undoIt && act) {
				await undo({ kind: 'act', act }, signal);
			} else if (chosen === show) {
				await list();
			}
		}

		async function list(): Promise<void> {
			const missing = itemsToTryAgain(results);
			const order = Object.keys(codicons);
			const rows = (are: boolean): readonly Choice<Answer<Subject>>[] =>
				results
					.filter(({ outcome }) => isGood(outcome) === are)
					.toSorted((one, other) => order.indexOf(one.outcome.kind) - order.indexOf(other.outcome.kind))
					.map(resultRow);
			const tryAgain = {
				...step('debug-restart', vscode.l10n.t('Try the Missing Ones Again'), 'tryAgain'),
				description: vscode.l10n.t('{0} of {1}', missing.length, results.length),
			};
			const steps = [
				...(missing.length > 0 ? [tryAgain] : []),
				...(act ? [step('discard', vscode.l10n.t('Undo What Was Done'), 'undo')] : []),
			];
			// A thing is the first row: a stray Enter only opens it.
			const texts = [
				count,
				...(queued === 1 ? [vscode.l10n.t('1 change is in the outbox.')] : []),
				...(queued > 1 ? [vscode.l10n.t('{0} changes are in the outbox.', queued)] : []),
			];
			const chosen = await choose(texts.join(' '), [...rows(false), ...steps, ...rows(true)]);
			switch (chosen.kind) {
				case 'open':
					return void (await kind.open(chosen.subject));
				case 'tryAgain':
					return carryOut({ ...job, items: missing, unsent: [] }, signal);
				case 'undo':
					return act && undo({ kind: 'act', act }, signal);
			}
		}
	}

	function isGood(outcome: Outcome): boolean {
		return outcome.kind === 'done' ? kind.isAsWanted(outcome) : outcome.kind === 'needless';
	}

	function resultRow({ item, outcome }: Result): Choice<Answer<Subject>> {
		const codicon = outcome.kind === 'done' && !kind.isAsWanted(outcome) ? 'warning' : codicons[outcome.kind];
		return {
			...kind.row(item.subject),
			detail: kind.outcomeText(item, outcome),
			iconPath: new vscode.ThemeIcon(codicon),
			value: { kind: 'open', subject: item.subject },
		};
	}

	/**
	 * Undoes an act of this window as far as possible and reports the rest. Leaves things alone that others changed
	 * since. Asks first unless all things are on screen: others see the change at once.
	 */
	async function undo(what: UndoWhat<Subject, Change>, signal: AbortSignal): Promise<void> {
		const act = what.kind === 'act' ? history.take(what.act) : newestOfOurs(what.inFront);
		if (!act) {
			return tellBriefly(
				what.kind === 'act'
					? vscode.l10n.t('This was already undone.')
					: vscode.l10n.t('There is nothing to undo in this window.'),
			);
		}
		const { items, left, settled, notes } = await undoPlan(act, what, signal).catch((error: unknown) => {
			// Nothing was undone, so it can still be undone later, unless it never can: older acts are waiting below it.
			if (!isForGood(error)) {
				history.putBack(act, act);
			}
			throw error;
		});
		notes.forEach((note) => void notify('information', note));
		const keepRest = restKeeper(act);
		keepRest([...settled, ...left]);
		if (items.length === 0 && left.length < 2) {
			return kind.undo.tellNothing(left);
		}
		const result = (counted: string): string => kind.undo.result(items, counted);
		await carryOut({ heading: act.undoing, result, items, unsent: left, ended: keepRest }, signal);
	}

	/** The newest act with a connected account; drops acts of removed accounts. */
	function newestOfOurs(inFront: readonly Subject[]): Act<Change> | undefined {
		for (let act = history.takeNewest(inFront); act; act = history.takeNewest(inFront)) {
			if (act.items.some(({ subject }) => connections.byKey(subject.connectionKey))) {
				return act;
			}
		}
		return undefined;
	}

	/** `left`: changed by others, or failed to load; `settled`: without undoable changes. */
	async function undoPlan(act: Act<Change>, what: UndoWhat<Subject, Change>, signal: AbortSignal) {
		const items: Item[] = [];
		const left: Result[] = [];
		const settled: Result[] = [];
		const notes = new Set<string>();
		const failures: unknown[] = [];
		/** Accounts with an error that every further request would repeat, if only after the same timeout. */
		const over = new Map<string, unknown>();
		await withProgress(kind.undo.checking, signal, async (working) => {
			for (const change of act.items) {
				const { subject, wish } = change;
				const item = { subject, wish };
				try {
					if (over.has(subject.connectionKey)) {
						throw over.get(subject.connectionKey);
					}
					const back = await kind.undo.undoing(change, working);
					if (back.kind === 'leftAlone') {
						left.push({ item, outcome: back });
						continue;
					}
					back.notes?.forEach((note) => notes.add(note));
					if (back.kind === 'wish') {
						items.push({ subject, wish: back.wish });
					} else {
						settled.push({ item, outcome: { kind: 'needless', reason: '' } });
					}
				} catch (error) {
					if (!isForgeError(error)) {
						throw error;
					}
					if (isHopeless(error) || isUnreachable(error)) {
						over.set(subject.connectionKey, error);
					}
					failures.push(error);
					left.push({ item, outcome: { kind: 'unread', error } });
				}
			}
		});
		if (failures.length > 0 && failures.length === act.items.length) {
			// Any error that may pass keeps the act for a later undo.
			throw failures.find((error) => !isForGood(error)) ?? failures[0];
		}
		const isSeen = what.kind === 'newest' ? items.every(history.isOneOf(what.inFront)) : !kind.undo.asksFromNotice;
		if (items.length > 0 && !isSeen && !(await kind.undo.isMeant(items))) {
			throw cancelled();
		}
		return { items, left, settled, notes };
	}

	/** Keeps the remaining items for a later undo; there is only one such rest at a time. */
	function restKeeper(act: Act<Change>): (results: readonly Result[]) => void {
		let rest = act;
		return (results) => {
			const settled = results.filter(({ outcome }) => ['done', 'needless', 'leftAlone'].includes(outcome.kind));
			const isDone = history.isOneOf(settled.map(({ item }) => item.subject));
			const before = rest;
			history.take(before);
			rest = { ...before, items: before.items.filter((item) => !isDone(item)) };
			history.putBack(before, rest);
		};
	}

	/**
	 * Reports an interrupted bulk change and offers Continue and Undo. Keeps its entries until the user answers.
	 * `dismissed` receives the unsent items of a notice without an answer.
	 */
	async function resume(
		journal: WriteJournal,
		parts: readonly (BulkPart & { readonly item: Item; readonly change: Change | undefined })[],
		job: ResumedJob<Subject, Wish, Done>,
		signal: AbortSignal,
		dismissed: (rest: readonly (BulkPart & { readonly item: Item })[]) => Promise<void> = async () => undefined,
	): Promise<void> {
		const parted = resumedParts(parts);
		const { done, rest } = parted;
		const act = history.record(
			job.undoing,
			done.flatMap(({ change }) => change ?? []),
		);
		const stopped = job.stopped(kind.counted(done.length, parts.length));
		const chosen = await askToResume(stopped, parted, act !== undefined, (some) => kind.counted(some, some));
		if (chosen === undefined) {
			await dismissed(rest);
		}
		for (const { entry } of parts) {
			await journal.close(entry.id);
		}
		if (chosen === 'continue') {
			await carryOut({ ...job, items: rest.map(({ item }) => item) }, signal);
		} else if (chosen === 'undo' && act) {
			await undo({ kind: 'act', act }, signal);
		}
	}

	return { history, carryOut, carryOutOne, undo, resume };
}

/** The worst first. */
const codicons = {
	unclear: 'question',
	missing: 'circle-slash',
	refused: 'error',
	unread: 'error',
	notTried: 'circle-slash',
	leftAlone: 'circle-slash',
	queued: 'clock',
	done: 'pass',
	needless: 'pass',
} as const;

function step<K extends 'tryAgain' | 'undo'>(codicon: string, label: string, kind: K) {
	return { label, iconPath: new vscode.ThemeIcon(codicon), alwaysShow: true, value: { kind } };
}

/** True for a thing that is gone; some servers answer 500 for one that is not there (docs/protocol.md#crashes). */
function isForGood(error: unknown): boolean {
	if (!isForgeError(error)) {
		return false;
	}
	const { problem } = error;
	return (
		problem.kind === 'notFound' ||
		problem.kind === 'notAllowed' ||
		(problem.kind === 'serverError' && problem.status === 500)
	);
}
