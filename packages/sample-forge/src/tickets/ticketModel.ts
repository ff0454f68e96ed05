import type { User } from '../shared/area.ts';

export const statuses = ['reported', 'confirmed', 'in_progress', 'pending', 'resolved'] as const;
export type Status = (typeof statuses)[number];

export const resolutions = [
	'unresolved',
	'fixed',
	'implemented',
	'wont_fix',
	'by_design',
	'invalid',
	'duplicate',
	'not_our_bug',
] as const;
/** `closed` is a word of GraphQL alone. */
export type Resolution = (typeof resolutions)[number] | 'closed';

export const permissions = ['browse', 'submit', 'comment', 'edit', 'triage'] as const;
export type Permission = (typeof permissions)[number];

export type EventType =
	| 'created'
	| 'comment'
	| 'status_change'
	| 'label_added'
	| 'label_removed'
	| 'assigned_user'
	| 'unassigned_user'
	| 'user_mentioned'
	| 'ticket_mentioned';

/** An author: a user, a mail sender, or a person from an import source. */
export type Person =
	| { readonly kind: 'user'; readonly user: User }
	| { readonly kind: 'email'; readonly address: string; readonly name: string }
	| { readonly kind: 'external'; readonly externalId: string; readonly url: string | null };

export interface PermissionTable<T> {
	anonymous: T;
	submitter: T;
	user: T;
}

export type Visibility = 'public' | 'unlisted' | 'private';

/** A user's own permissions. They replace the general ones. */
export interface Access {
	readonly id: number;
	readonly createdMs: number;
	readonly user: User;
	readonly permissions: readonly Permission[];
}

export interface Tracker {
	readonly id: number;
	readonly owner: User;
	name: string;
	readonly createdMs: number;
	updatedMs: number;
	/** As `updatedMs`, but unaffected by changes of existing tickets. */
	ownUpdatedMs: number;
	/** Private: only the owner and users in `access`, regardless of `permissions`. */
	visibility: Visibility;
	description: string | null;
	readonly permissions: PermissionTable<readonly Permission[]>;
	/** By user name; replaces what `permissions.user` says. */
	readonly access: Map<string, Access>;
	/** Oldest first. */
	readonly labels: Label[];
	/** By number, oldest first. Find one by `findTicket`: a deleted one leaves a gap. */
	readonly tickets: Ticket[];
	/** Numbers are never used again. */
	nextNumber: number;
}

export interface Label {
	readonly id: number;
	name: string;
	readonly createdMs: number;
	background: string;
	text: string;
}

export interface Ticket {
	/** Row id over all trackers. Only the broken paging shows it. */
	readonly rowId: number;
	readonly number: number;
	readonly tracker: Tracker;
	readonly submitter: Person;
	readonly createdMs: number;
	updatedMs: number;
	title: string;
	description: string;
	status: Status;
	resolution: Resolution;
	/** Null: as the tracker has it. */
	readonly permissions: PermissionTable<readonly Permission[] | null>;
	readonly labels: Set<Label>;
	readonly assignees: User[];
	/** Content of `/events`, oldest first. */
	readonly events: TicketEvent[];
}

export interface Comment {
	id: number;
	readonly createdMs: number;
	readonly submitter: Person;
	readonly ticket: Ticket;
	text: string;
}

export interface TicketEvent {
	readonly id: number;
	readonly createdMs: number;
	readonly types: readonly EventType[];
	/** Set when `types` holds `status_change`. */
	readonly change: StatusChange | null;
	readonly user: Person | null;
	readonly ticket: Ticket | null;
	readonly comment: Comment | null;
	readonly label: Label | null;
	readonly byUser: Person | null;
	readonly fromTicket: Ticket | null;
}

export interface StatusChange {
	readonly oldStatus: Status;
	readonly oldResolution: Resolution;
	readonly newStatus: Status;
	readonly newResolution: Resolution;
}

/** The ticket with this number. */
export function findTicket({ tickets }: Tracker, number: number): Ticket | undefined {
	const at = tickets[number - 1];
	return at?.number === number ? at : tickets.find((ticket) => ticket.number === number);
}

export function isStatus(value: unknown): value is Status {
	return statuses.some((status) => status === value);
}

export function isResolution(value: unknown): value is Resolution {
	return resolutions.some((resolution) => resolution === value);
}

export function asPerson(user: User): Person {
	return { kind: 'user', user };
}
