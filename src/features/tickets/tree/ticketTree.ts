import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { onDidChoose } from '../../../editor/owned/watchedFact.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { unreadMarks } from '../../../editor/trees/unreadMarks.ts';
import type { Mark } from 'sourcehut/port/mark.ts';
import { refOfTicket, type TicketRef, ticketRefText } from 'sourcehut/port/ticket.ts';
import { type Connection, watchConnections } from '../../../store/connection.ts';
import type { TicketStoreChange } from '../../../store/tickets/ticketChange.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { trackerSubject, type TrackerSubject } from '../subjects/subjects.ts';
import { checkedText } from './countTexts.ts';
import { renderedRows, factsKeeper, memoized } from './trackerFacts.ts';
import { frozenLists, selectedTogether } from './frozenLists.ts';
import { appliedQueueId, queuesOf, isQueueId, shelfSteps, trackerRowId, type AccountTracker } from './ticketShelf.ts';
import { rowAges, allTrackers, filteredTracker, queueOf, queueQuery, type TreeContext } from './treeContext.ts';
import { shownRow, ticketScheme } from './ticketRows.ts';
import { ticketNavigation } from './ticketNavigation.ts';
import { trackerReads } from './trackerReads.ts';
import { treeRows } from './treeRows.ts';

/** Delay that merges a burst of changes into one redraw. */
const burstMs = 150;
/** Redraw interval of the ages. */
const minuteMs = 60_000;

/** The Tickets view: filters, accounts if there are several, trackers, groups and tickets. */
export type TicketTree = ReturnType<typeof ticketTree>;

/** Shows the user's own trackers and the followed ones. */
export function ticketTree(ticketsContext: TicketsContext) {
	const { connections, clock, problems, filters, treeChoices, shown, view } = ticketsContext;
	const owned = new Disposables();
	const ending = new AbortController();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	const opened = owned.add(new Emitter<TreeNode>());
	const noteChanged = owned.add(new Emitter<void>());
	const rests = resting(clock);
	const shelvesHere = memoized(shelfSteps, rests);
	const context: TreeContext = {
		tickets: ticketsContext,
		facts: factsKeeper(rests),
		shelves: shelvesHere,
		frozen: frozenLists(owned.add(selectedTogether(ticketsContext, (id) => shelvesHere.last(id)))),
		resting: rests,
		ages: rowAges(() => clock.nowMs(), vscode.env.language),
		unfolded: new Map(),
		reads: owned.add(
			trackerReads(
				clock,
				(error) => problems.log(error),
				changedSoon,
				() => {
					// Each queue searches all trackers, so a new tracker invalidates every queue.
					context.shelves.stale(isQueueId);
					settleSoon();
				},
			),
		),
		windows: new Map(),
		rendered: renderedRows(rests),
		changed,
	};
	const rows = treeRows(context);
	const marks = owned.add(unreadMarks(ticketScheme));
	const navigation = owned.add(ticketNavigation(context, rows));
	const changedRows = owned.add(changedTickets(clock, drawTicket));
	/** Trackers to redraw at the end of the burst. */
	const changing = new Map<string, AccountTracker>();
	/** Keys of accounts under an "unreachable" row. */
	const offline = new Set<string>();
	let burst: Disposable | undefined;
	let settling: Promise<void> = Promise.resolve();
	let minute = clock.after(minuteMs, everyMinute);
	settleSoon();

	function publish(connection: Connection, change: TicketStoreChange): void {
		switch (change.kind) {
			case 'trackers':
				stale();
				settleSoon();
				return changed.fire(rows.above(connection));
			case 'tracker':
				return changedSoon({ connection, ref: change.tracker });
			case 'ticket': {
				// Open pages poll their ticket, mostly without changes.
				const ticket = connection.tickets.knownTicket(change.ticket);
				// Row ids have the forge's spelling.
				const ref = ticket ? refOfTicket(ticket) : change.ticket;
				if (!ticket || !navigation.isShown({ kind: 'ticket', connectionKey: connection.key, ref }, ticket)) {
					publishTicket(connection, change.ticket);
				}
				return;
			}
		}
	}

	function publishTicket(connection: Connection, ref: TicketRef): void {
		changedRows.add(connection, ref);
		changedSoon({ connection, ref: ref.tracker });
	}

	/** Redraws every row of one ticket. */
	function drawTicket(connection: Connection, ref: TicketRef): void {
		const ticket = connection.tickets.knownTicket(ref);
		if (ticket && connections.byKey(connection.key) === connection) {
			const from = { connection, ref: ref.tracker };
			const parents = navigation.parentsOf({ kind: 'ticket', connectionKey: connection.key, ref });
			parents.forEach((parent) => changed.fire(shownRow(parent, from, ticket, context)));
		}
	}

	/** Invalidates counts and sorted lists of one tracker, or of all. */
	function stale(from?: AccountTracker): void {
		context.facts.stale(from);
		const id = from && trackerRowId(from);
		context.shelves.stale((each) => id === undefined || each === id || isQueueId(each));
	}

	/** Unfreezes lists and redraws their rows, so the editor reloads the children. */
	function release(isMeant: (id: string) => boolean): void {
		const gone = context.frozen.release(isMeant);
		context.shelves.stale((id) => gone.includes(id));
		for (const id of gone) {
			const trackers = isQueueId(id) ? [] : (context.unfolded.get(id) ?? []);
			trackers.forEach(changedSoon);
		}
		if (gone.length > 0) {
			settleSoon();
		}
	}

	function changedSoon(from: AccountTracker): void {
		stale(from);
		changing.set(trackerRowId(from), from);
		settleSoon();
	}

	function settleSoon(): void {
		burst ??= clock.after(burstMs, () => {
			burst = undefined;
			// Sequential: parallel runs would only slow each other down.
			settling = settling.then(settle).catch(problems.log);
		});
	}

	/** End of a burst: updates tracker and queue rows, unread dots, and the age in the view's title. */
	async function settle(): Promise<void> {
		const changedNow = [...changing];
		changing.clear();
		for (const [id, from] of changedNow) {
			await rows.counted(from, ending.signal);
			const isDifferent = await context.rendered.differ(id, ending.signal);
			if (isDifferent && connections.byKey(from.connection.key) === from.connection) {
				changed.fire(rows.tracker(from));
			}
		}
		// Background reads detect when the forge becomes unreachable or reachable again.
		connections.all().forEach((connection) => {
			const isOffline = connection.index.pause?.kind === 'offline';
			if (isOffline === offline.has(connection.key)) {
				return;
			}
			if (isOffline) {
				offline.add(connection.key);
			} else {
				offline.delete(connection.key);
				context.reads.recovered(connection);
			}
			changed.fire(rows.above(connection));
		});
		// The unread tickets by the `authority + path` of their rows' addresses.
		const unread: (readonly [string, Mark])[] = [];
		for (const from of allTrackers(connections)) {
			const { marks: ofTracker } = await context.facts.counted(from, ending.signal);
			ofTracker.forEach((mark, name) => unread.push([`${from.connection.key}/${name}`, mark]));
		}
		marks.show(new Map(unread));
		noteChanged.fire();
		for (const queue of queuesOf(filters)) {
			const wish = queueQuery(context, queue);
			if (wish) {
				const shelf = await context.shelves.current(queue.id, wish, ending.signal);
				rows.freeze(queue, shelf);
				if (await context.rendered.differ(queue.id, ending.signal)) {
					changed.fire(rows.queue(queue));
				}
			}
		}
	}

	/** Text in the view's title: position in the list and age of the data. */
	function noteText(): string {
		return [navigation.progress(), checkedText(allTrackers(connections), clock.nowMs())]
			.filter((text) => text !== '')
			.join(' · ');
	}

	function everyMinute(): void {
		minute = clock.after(minuteMs, everyMinute);
		noteChanged.fire();
		if (view.visible) {
			[...context.unfolded.values()].flat().forEach(({ connection, ref }) => connection.index.inUse(ref));
		}
	}

	/** Unfreezes lists whose filter or tickets changed. */
	function listsChanged(): void {
		const trackers = allTrackers(connections).flatMap((from) => filteredTracker(filters, from) ?? []);
		context.frozen.keepOnly([...queuesOf(filters), ...trackers]);
		stale();
		changed.fire(undefined);
		settleSoon();
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.tickets.onDidChange((change) => publish(connection, change)),
				connection.tickets.onDidAnswer(() =>
					context.reads.recovered(connection) ? changed.fire(rows.above(connection)) : undefined,
				),
				onDidChoose(connection, () => changed.fire(rows.above(connection))),
				connection.index.onDidChange((refs) => {
					refs.forEach((ref) => changedSoon({ connection, ref }));
					settleSoon();
				}),
				connection.readMarks.onDidChange((refs) => {
					if (refs === 'all') {
						stale();
						connection.index.trackers().forEach((ref) => changedSoon({ connection, ref }));
						return;
					}
					refs.forEach((ref) => publishTicket(connection, ref));
				}),
			],
			() => {
				context.facts.clear();
				context.shelves.clear();
				context.frozen.release(() => true);
				context.unfolded.clear();
				context.rendered.clear();
				changed.fire(undefined);
				settleSoon();
			},
		),
	);
	owned.add(
		view.onDidCollapseElement(({ element }) => {
			release((id) => id === element.id);
			context.unfolded.delete(element.id);
		}),
	);
	owned.add(navigation.onDidMove(() => noteChanged.fire()));
	owned.add(filters.onDidChange(listsChanged));
	owned.add(shown.onDidChange(listsChanged));
	owned.add(
		treeChoices.onDidChange(({ connectionKey, ref }) => {
			const connection = connections.byKey(connectionKey);
			if (connection) {
				const from = { connection, ref };
				context.frozen.release((id) => id === trackerRowId(from));
				stale(from);
				changed.fire(rows.tracker(from));
			}
		}),
	);

	return {
		...navigation,
		roots: (signal: AbortSignal) => rows.roots(signal),
		onDidChange: changed.event,
		note: { text: noteText, onDidChange: noteChanged.event },
		onDidOpen: opened.event,
		firstWork: (rows: readonly TreeNode[]) => rows.find(({ id, children }) => isQueueId(id) && children),
		/** Unfolds and focuses a newly filtered tracker. Without a tracker: the queue of the filter over all trackers. */
		openList(tracker: TrackerSubject | undefined) {
			const connection = tracker && connections.byKey(tracker.connectionKey);
			const queue = tracker ? undefined : queueOf(ticketsContext, appliedQueueId);
			const row = tracker && connection ? rows.tracker({ connection, ref: tracker.ref }) : queue && rows.queue(queue);
			if (row) {
				opened.fire(row);
			}
		},
		/** Drops the cached data of a row, or all cached data, so the next redraw queries the forge. */
		forget(node: TreeNode | undefined) {
			const tracker = trackerSubject(node);
			release((id) => !tracker || id === node?.id);
			for (const connection of connections.all()) {
				if (!tracker || tracker.connectionKey === connection.key) {
					context.reads.forget(connection, tracker?.ref);
					// One tracker at a time: the list of trackers stays cached, because the forge may be unreachable.
					const refs = tracker ? [tracker.ref] : connection.index.trackers();
					refs.forEach((ref) => connection.tickets.forget(ref));
				}
			}
		},
		dispose() {
			ending.abort();
			burst?.dispose();
			minute.dispose();
			owned.dispose();
		},
	};
}

/**
 * Redraws each changed ticket once per turn of the event loop. A write, its events and its "seen" mark arrive one by
 * one, and a redraw between two would flash a dot.
 */
function changedTickets(clock: Clock, draw: (connection: Connection, ref: TicketRef) => void) {
	const waiting = new Map<string, { readonly connection: Connection; readonly ref: TicketRef }>();
	let turn: Disposable | undefined;

	return {
		add(connection: Connection, ref: TicketRef) {
			waiting.set(`${connection.key} ${ticketRefText(ref)}`, { connection, ref });
			turn ??= clock.after(0, () => {
				turn = undefined;
				const all = [...waiting.values()];
				waiting.clear();
				all.forEach(({ connection, ref }) => draw(connection, ref));
			});
		},
		dispose() {
			turn?.dispose();
		},
	};
}
