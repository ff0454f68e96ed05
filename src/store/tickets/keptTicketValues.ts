import {
	ticketEventKinds,
	ticketResolutions,
	ticketStatuses,
	type Comment,
	type ShortTicket,
	type Ticket,
	type TicketEvent,
	type TicketResolution,
	type TicketStatus,
} from '../../forge/port/ticket.ts';
import {
	permissionWords,
	type Label,
	type Permission,
	type Permissions,
	type ShortTracker,
	type Tracker,
	type TrackerRef,
} from '../../forge/port/tracker.ts';
import type { Participant } from '../../forge/port/user.ts';
import { extraFieldOf, keptWord, listOf, maybe, shortUserOf, text, time, whole, wrong } from '../shared/keptFields.ts';
import { fieldsOf } from '../../base/looseJson.ts';

/* Decoders for trackers, tickets and events from the disk cache. All throw on invalid values. */

export function ticketOf(value: unknown): Ticket {
	const { ref, tracker } = fieldsOf(value);
	return ticketIn(value, { ref: text(ref), tracker: shortTrackerOf(tracker) });
}

/** Variant that shares the tracker object among thousands of tickets. */
export function ticketIn(value: unknown, { ref, tracker }: Pick<Ticket, 'ref' | 'tracker'>): Ticket {
	const { id, title, createdMs, updatedMs, submitter, description, ...rest } = fieldsOf(value);
	const { status, resolution, permissions, labels, assignees, extra } = rest;
	return {
		id: numberOf(id),
		ref,
		tracker,
		title: text(title),
		createdMs: time(createdMs),
		updatedMs: time(updatedMs),
		submitter: participantOf(submitter),
		description: text(description),
		status: statusOf(status),
		resolution: resolutionOf(resolution),
		permissions: maybe(permissions, permissionsOf),
		labels: listOf(labels, text),
		assignees: listOf(assignees, shortUserOf),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

export function trackerRefOf(value: unknown): TrackerRef {
	const { owner, name } = fieldsOf(value);
	return { owner: text(owner), name: text(name) };
}

export function trackerOf(value: unknown): Tracker {
	const { id, rid, description, defaultPermissions, visibility, extra } = fieldsOf(value);
	return {
		...shortTrackerOf(value),
		id: maybe(id, whole),
		...(rid === undefined ? {} : { rid: text(rid) }),
		description: maybe(description, text),
		defaultPermissions: maybe(defaultPermissions, permissionsOf),
		visibility: maybe(visibility, text),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

export function labelOf(value: unknown): Label {
	const { name, colors, createdMs, extra } = fieldsOf(value);
	const { background, text: ink } = fieldsOf(colors);
	return {
		name: text(name),
		colors: { background: text(background), text: text(ink) },
		createdMs: maybe(createdMs, time),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

export function eventOf(value: unknown): TicketEvent {
	const { id, createdMs, kinds, user, ticket, comment, labels, byUser, fromTicket, extra, ...changes } =
		fieldsOf(value);
	const { oldStatus, newStatus, oldResolution, newResolution } = changes;
	return {
		id: whole(id),
		createdMs: time(createdMs),
		kinds: listOf(kinds, (kind) => keptWord(ticketEventKinds, kind)),
		oldStatus: maybe(oldStatus, statusOf),
		newStatus: maybe(newStatus, statusOf),
		oldResolution: maybe(oldResolution, resolutionOf),
		newResolution: maybe(newResolution, resolutionOf),
		user: maybe(user, participantOf),
		ticket: maybe(ticket, shortTicketOf),
		comment: maybe(comment, commentOf),
		labels: listOf(labels, text),
		byUser: maybe(byUser, participantOf),
		fromTicket: maybe(fromTicket, shortTicketOf),
		...(extra === undefined ? {} : { extra: listOf(extra, extraFieldOf) }),
	};
}

function commentOf(value: unknown): Comment {
	const { id, createdMs, submitter, text: said } = fieldsOf(value);
	return { id: maybe(id, whole), createdMs: time(createdMs), submitter: participantOf(submitter), text: text(said) };
}

function shortTicketOf(value: unknown): ShortTicket {
	const { id, ref, tracker, title } = fieldsOf(value);
	return { id: whole(id), ref: text(ref), tracker: shortTrackerOf(tracker), title: maybe(title, text) };
}

/** The tracker as embedded in tickets. */
export function shortTrackerOf(value: unknown): ShortTracker {
	const { owner, name, createdMs, updatedMs } = fieldsOf(value);
	return { owner: shortUserOf(owner), name: text(name), createdMs: time(createdMs), updatedMs: time(updatedMs) };
}

function participantOf(value: unknown): Participant {
	const { kind, address, name, externalId, externalUrl } = fieldsOf(value);
	switch (kind) {
		case 'user':
			return { kind, ...shortUserOf(value) };
		case 'email':
			return { kind, address: text(address), name: maybe(name, text) };
		case 'external':
			return { kind, externalId: text(externalId), externalUrl: maybe(externalUrl, text) };
		default:
			return wrong();
	}
}

function permissionsOf(value: unknown): Permissions {
	const { mine, anonymous, submitter, user } = fieldsOf(value);
	const wordsOf = (words: unknown): readonly Permission[] => listOf(words, (word) => keptWord(permissionWords, word));
	return {
		...(mine === undefined ? {} : { mine: wordsOf(mine) }),
		anonymous: maybe(anonymous, wordsOf),
		submitter: maybe(submitter, wordsOf),
		user: maybe(user, wordsOf),
	};
}

/** Ticket numbers start at 1. */
function numberOf(value: unknown): number {
	const number = whole(value);
	return number >= 1 ? number : wrong();
}

function statusOf(value: unknown): TicketStatus {
	return keptWord(ticketStatuses, value);
}

function resolutionOf(value: unknown): TicketResolution {
	return keptWord(ticketResolutions, value);
}
