import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { connectionRow } from '../../editor/connectionRow.ts';
import type { TreeSource } from '../../editor/feature.ts';
import { tailRows } from '../../editor/pagingRows.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import { refOfTicket, type Ticket } from '../../forge/ticket.ts';
import type { Tracker, TrackerRef } from '../../forge/tracker.ts';
import type { Connection } from '../../state/connection.ts';
import type { TicketStoreChange } from '../../state/ticketStore.ts';
import { ticketRow, trackerRow } from './ticketRows.ts';
import { trackerSubject } from './subjects.ts';
import type { TicketsParts } from './ticketsParts.ts';

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
				return ticket && changed.fire(ticketNode(connection, ticket, trackerNode(connection, change.ticket.tracker)));
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

	function ticketNode(connection: Connection, ticket: Ticket, parent: TreeNode): TreeNode {
		return ticketRow({ connection, ref: refOfTicket(ticket), ticket, parent, clock });
	}

	async function trackerNodes(connection: Connection, signal: AbortSignal): Promise<readonly TreeNode[]> {
		const { tickets } = connection;
		const listing = await tickets.ownTrackers(signal);
		const own = listing.items.map((tracker) =>
			trackerNode(connection, { owner: tracker.owner.canonicalName, name: tracker.name }, tracker),
		);
		const followed = tickets.followedTrackers().map((ref) => trackerNode(connection, ref, tickets.knownTracker(ref)));
		const more = tailRows({ id: connection.key, parent: parentOf(connection) }, listing, (moreSignal) =>
			tickets.moreOwnTrackers(moreSignal),
		);
		return [...own, ...followed, ...more];
	}

	async function ticketNodes(
		connection: Connection,
		ref: TrackerRef,
		signal: AbortSignal,
	): Promise<readonly TreeNode[]> {
		const { tickets } = connection;
		const listing = await tickets.tickets(ref, signal);
		const parent = trackerNode(connection, ref);
		return [
			...listing.items.map((ticket) => ticketNode(connection, ticket, parent)),
			...tailRows({ id: parent.id, parent }, listing, (moreSignal) => tickets.moreTickets(ref, moreSignal)),
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
