import type { ApiCall, Context, User } from '../shared/area.ts';
import { param } from '../shared/area.ts';
import { crash, notAllowed, notFound } from '../shared/answers.ts';
import { ownerOf } from '../identity/users.ts';
import type { Permission, Ticket, Tracker } from './ticketModel.ts';
import { findTicket, permissions } from './ticketModel.ts';
import type { TicketStore } from './ticketStore.ts';

/** Finds what a path names, and refuses (docs/protocol.md#refusals) when the caller may not have it. */
export function createTicketAccess(context: Context, store: TicketStore) {
	const { dialect } = context;
	const findTracker = (call: ApiCall): Tracker => {
		const owner = ownerOf(context, call);
		const fits = nameTest(param(call, 'tracker'), dialect.trackerWildcards);
		const [tracker, second] = store.trackers.filter((each) => each.owner === owner && fits(each.name));
		if (second !== undefined) {
			throw crash(dialect);
		}
		if (tracker === undefined || permissionsOn(tracker, undefined, call.user).size === 0) {
			throw notFound();
		}
		return tracker;
	};
	const expectHeld = (held: ReadonlySet<Permission>, needed: Permission): void => {
		if (!held.has(needed)) {
			throw notAllowed(dialect);
		}
	};
	return {
		/** 404 when missing or when the caller has no permission at all; `needed` missing: not allowed. */
		tracker(call: ApiCall, needed?: Permission) {
			const tracker = findTracker(call);
			if (needed !== undefined) {
				expectHeld(permissionsOn(tracker, undefined, call.user), needed);
			}
			return tracker;
		},
		/** The caller's own tracker, for PUT and DELETE. */
		ownTracker(call: ApiCall) {
			const tracker = findTracker(call);
			if (tracker.owner !== call.user) {
				throw notAllowed(dialect);
			}
			return tracker;
		},
		/** `missing`: a missing or invisible ticket crashes (observed) or gives a plain 404. */
		ticket(call: ApiCall, missing: 'crash' | 'notFound') {
			const number = param(call, 'ticket');
			if (!/^\d+$/.test(number)) {
				throw notFound();
			}
			const ticket = findTicket(findTracker(call), Number(number));
			const held = ticket === undefined ? new Set<Permission>() : permissionsOn(ticket.tracker, ticket, call.user);
			if (ticket === undefined || held.size === 0) {
				throw missing === 'crash' ? crash(dialect) : notFound();
			}
			expectHeld(held, 'browse');
			return ticket;
		},
		holds: (call: ApiCall, ticket: Ticket, needed: Permission) =>
			permissionsOn(ticket.tracker, ticket, call.user).has(needed),
		/** Whether a listing shows this ticket. */
		sees: (call: ApiCall, ticket: Ticket) =>
			(ticket.permissions.user === null && ticket.permissions.submitter === null) ||
			permissionsOn(ticket.tracker, ticket, call.user).has('browse'),
		expect: (call: ApiCall, ticket: Ticket, needed: Permission) =>
			expectHeld(permissionsOn(ticket.tracker, ticket, call.user), needed),
	};
}

/** Permissions of a user; `undefined`: an anonymous reader of the web pages. */
export function permissionsOn(
	tracker: Tracker,
	ticket: Ticket | undefined,
	user: User | undefined,
): ReadonlySet<Permission> {
	const closed = tracker.visibility === 'private';
	if (user === undefined) {
		return new Set(closed ? [] : (ticket?.permissions.anonymous ?? tracker.permissions.anonymous));
	}
	if (user === tracker.owner) {
		return new Set(permissions);
	}
	const granted = tracker.access.get(user.name)?.permissions;
	return closed && granted === undefined
		? new Set()
		: new Set([...(granted ?? allowedAll(tracker, ticket)), ...allowedAsSubmitter(tracker, ticket, user)]);
}

function allowedAll(tracker: Tracker, ticket: Ticket | undefined): readonly Permission[] {
	return ticket?.permissions.user ?? tracker.permissions.user;
}

function allowedAsSubmitter(tracker: Tracker, ticket: Ticket | undefined, user: User): readonly Permission[] {
	const submitted = ticket?.submitter.kind === 'user' && ticket.submitter.user === user;
	return submitted ? (ticket.permissions.submitter ?? tracker.permissions.submitter) : [];
}

/** Compares names without case; in the field, `_` and `%` in the path are database wildcards. */
function nameTest(wanted: string, wildcards: boolean): (name: string) => boolean {
	if (!wildcards) {
		return (name) => name.toLowerCase() === wanted.toLowerCase();
	}
	const source = Array.from(wanted, (letter) => {
		return letter === '_' ? '.' : letter === '%' ? '.*' : letter.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
	}).join('');
	const pattern = new RegExp(`^${source}$`, 'is');
	return (name) => pattern.test(name);
}
