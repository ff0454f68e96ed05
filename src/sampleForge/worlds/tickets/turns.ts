import type { Users } from '../../shared/area.ts';
import { asPerson, type Person, type Resolution, type Status, type Ticket } from '../../tickets/ticketModel.ts';
import type { TicketStore } from '../../tickets/ticketStore.ts';

/** One step in the life of a ticket; `who` is a user name. */
export type Turn =
	| { readonly who: string; readonly says: string }
	| { readonly who: string; readonly adds: string }
	| { readonly who: string; readonly removes: string }
	| { readonly who: string; readonly assigns: string }
	| { readonly who: string; readonly unassigns: string }
	| { readonly who: string; readonly moves: Exclude<Status, 'resolved'>; readonly says?: string }
	| { readonly who: string; readonly resolves: Resolution; readonly says?: string };

interface TurnParts {
	readonly store: TicketStore;
	readonly users: Users;
}

interface Taking {
	readonly ticket: Ticket;
	readonly turn: Turn;
	readonly atMs: number;
}

/** Throws for unknown people and labels, which are bugs in the plans. */
export function takeTurn({ store, users }: TurnParts, { ticket, turn, atMs }: Taking): void {
	const userNamed = (name: string): NonNullable<ReturnType<Users['byName']>> => {
		const user = users.byName(name);
		if (user === undefined) {
			throw new Error(`Nobody in the world is called ${name}`);
		}
		return user;
	};
	const person = asPerson(userNamed(turn.who));
	if ('adds' in turn || 'removes' in turn) {
		const wanted = 'adds' in turn ? turn.adds : turn.removes;
		const label = ticket.tracker.labels.find(({ name }) => name === wanted);
		if (label === undefined) {
			throw new Error(`${ticket.tracker.name} has no label ${wanted}`);
		}
		store.setLabel(ticket, label, 'adds' in turn, { person, atMs });
	} else if ('assigns' in turn || 'unassigns' in turn) {
		const assignee = userNamed('assigns' in turn ? turn.assigns : turn.unassigns);
		store.setAssignee(ticket, assignee, 'assigns' in turn, { person, atMs });
	} else if ('moves' in turn) {
		const { moves: status, says: text } = turn;
		move(store, ticket, { status, resolution: ticket.resolution, by: person, text, atMs });
	} else if ('resolves' in turn) {
		const { resolves: resolution, says: text } = turn;
		move(store, ticket, { status: 'resolved', resolution, by: person, text, atMs });
	} else {
		store.update(ticket, person, { comment: turn.says }, atMs);
	}
}

export interface Step {
	readonly status: Status;
	readonly resolution: Resolution;
}

interface Move extends Step {
	readonly by: Person;
	readonly text: string | undefined;
	readonly atMs: number;
}

/** Moves a ticket to any status, as its web page can. */
export function move(store: TicketStore, ticket: Ticket, { status, resolution, by, text, atMs }: Move): void {
	const { status: oldStatus, resolution: oldResolution } = ticket;
	const change = { oldStatus, oldResolution, newStatus: status, newResolution: resolution };
	store.update(ticket, by, text === undefined ? { change } : { comment: text, change }, atMs);
}
