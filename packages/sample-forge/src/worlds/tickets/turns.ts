import type { User, Users } from '../../shared/area.ts';
import {
	asPerson,
	isResolution,
	isStatus,
	type Person,
	type Resolution,
	type Status,
	type Ticket,
} from '../../tickets/ticketModel.ts';
import type { TicketStore } from '../../tickets/ticketStore.ts';
import { check, need } from '../../shared/checks.ts';

/** One step in the life of a ticket: a label, an assignee, or a new status and words. `who` is a user name. */
export interface Turn {
	readonly who: string;
	readonly says?: string;
	readonly adds?: string;
	readonly removes?: string;
	readonly assigns?: string;
	readonly unassigns?: string;
	/** A status. */
	readonly moves?: string;
	/** A resolution. */
	readonly resolves?: string;
}

/** Throws for unknown people, labels and words: they are bugs in the plans. */
export function takeTurn(store: TicketStore, users: Users, ticket: Ticket, turn: Turn, atMs: number): void {
	const userNamed = (name: string): User => {
		return need(users.byName(name), () => new Error(`Nobody in the world is called ${name}`));
	};
	const { says, adds, removes, assigns, unassigns, moves, resolves } = turn;
	const person = asPerson(userNamed(turn.who));
	const labelName = adds ?? removes;
	const assignee = assigns ?? unassigns;
	if (labelName !== undefined) {
		const label = ticket.tracker.labels.find(({ name }) => name === labelName);
		check(label !== undefined, () => new Error(`${ticket.tracker.name} has no label ${labelName}`));
		store.setLabel(ticket, label, adds !== undefined, { person, atMs });
	} else if (assignee !== undefined) {
		store.setAssignee(ticket, userNamed(assignee), assigns !== undefined, { person, atMs });
	} else if (moves !== undefined || resolves !== undefined) {
		const status = moves ?? 'resolved';
		const resolution = resolves ?? ticket.resolution;
		if (!isStatus(status) || !(isResolution(resolution) || resolution === 'closed')) {
			throw new Error(`The plan of a ticket uses an unknown word: ${status} ${resolution}`);
		}
		move(store, ticket, { status, resolution, by: person, text: says, atMs });
	} else {
		store.update(ticket, person, { comment: says ?? '' }, atMs);
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
