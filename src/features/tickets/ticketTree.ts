import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import type { TreeSource } from '../../editor/feature.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import { refOfTicket, type Ticket } from '../../forge/ticket.ts';
import type { Tracker, TrackerRef } from '../../forge/tracker.ts';
import type { Connection } from '../../state/connection.ts';
import type { Listing } from '../../state/listing.ts';
import type { TicketStoreChange } from '../../state/ticketStore.ts';
import { connectionRow, moreRow, ticketRow, trackerRow } from './ticketRows.ts';
import { trackerSubject } from './subjects.ts';
import type { TicketsParts } from './ticketsParts.ts';
import { countsText } from './timelineView.ts';

/** The Tickets view: accounts when there are several, trackers, tickets. */
export interface TicketTree extends TreeSource, Disposable {
	/** Forgets what a row was read from, or everything, so that the redraw that follows asks the forge. */
	forget(node: TreeNode | undefined): void;
}

/** Own trackers come by themselves, others' when they are followed. */
export function ticketTree({ connections, clock }: TicketsParts): TicketTree {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	let watching = watch();

	function watch(): Disposables {
		const subscriptions = new Disposables();
		for (const connection of connections.all()) {
			subscriptions.add(connection.tickets.onDidChange((change) => tell(connection, change)));
		}
		return subscriptions;
	}

	function tell(connection: Connection, change: TicketStoreChange): void {
		switch (change.kind) {
			case 'trackers':
				return changed.fire(parentOf(connection));
			case 'tracker':
				return changed.fire(trackerNode(connection, change.tracker));
			case 'ticket': {
				const ticket = connection.tickets.knownTicket(change.ticket);
				return ticket && changed.fire(ticketNode(connection, ticket));
			}
		}
	}

	function parentOf(connection: Connection): TreeNode | undefined {
		return connections.all().length > 1
			? connectionRow(connection, (signal) => trackerNodes(connection, signal))
			: undefined;
	}

	function trackerNode(connection: Connection, ref: TrackerRef, tracker?: Tracker): TreeNode {
		return trackerRow({
			connection,
			ref,
			tracker,
			parent: parentOf(connection),
			children: (signal) => ticketNodes(connection, ref, signal),
		});
	}

	function ticketNode(connection: Connection, ticket: Ticket): TreeNode {
		const ref = refOfTicket(ticket);
		return ticketRow({ connection, ref, ticket, parent: trackerNode(connection, ref.tracker), clock });
	}

	async function trackerNodes(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { tickets } = connection;
		const listing = await tickets.ownTrackers(signal);
		const own = listing.items.map((tracker) =>
			trackerNode(connection, { owner: tracker.owner.canonicalName, name: tracker.name }, tracker),
		);
		const followed = tickets.followedTrackers().map((ref) => trackerNode(connection, ref, tickets.knownTracker(ref)));
		const root = parentOf(connection) ?? connectionRow(connection, () => Promise.resolve([]));
		const more = tail(root, listing, (moreSignal) => tickets.moreOwnTrackers(moreSignal));
		return [...own, ...followed, ...more];
	}

	async function ticketNodes(
		connection: Connection,
		ref: TrackerRef,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const { tickets } = connection;
		const listing = await tickets.tickets(ref, signal);
		return [
			...listing.items.map((ticket) => ticketNode(connection, ticket)),
			...tail(trackerNode(connection, ref), listing, (moreSignal) => tickets.moreTickets(ref, moreSignal)),
		];
	}

	owned.add(
		connections.onDidChange(() => {
			watching.dispose();
			watching = watch();
			changed.fire(undefined);
		}),
	);
	return {
		async roots(signal) {
			const all = connections.all();
			const [only] = all;
			return all.length === 1 && only
				? trackerNodes(only, signal)
				: all.map((connection) => connectionRow(connection, (below) => trackerNodes(connection, below)));
		},
		onDidChange: changed.event,
		forget(node) {
			const tracker = trackerSubject(node);
			const forgetful = tracker ? [connections.byKey(tracker.connectionKey)] : connections.all();
			forgetful.forEach((connection) => connection?.tickets.forget(tracker?.ref));
		},
		dispose() {
			watching.dispose();
			owned.dispose();
		},
	};
}

/** Nothing below a list that is known to be whole. */
function tail(
	parent: TreeNode,
	{ items, completeness }: Listing<unknown>,
	readOn: (signal: AbortSignal) => Promise<unknown>,
): readonly TreeNode[] {
	const counts = countsText(items.length, completeness);
	switch (completeness.kind) {
		case 'complete':
			return [];
		case 'unstated':
			return items.length === 0 ? [] : [moreRow(parent, counts, undefined)];
		case 'more':
			return [moreRow(parent, counts, async (signal) => void (await readOn(signal)))];
	}
}
