import type { Ticket } from '../../forge/ticket.ts';
import type { Label, Permissions, ShortTracker, Tracker } from '../../forge/tracker.ts';
import type { Participant, ShortUser } from '../../forge/user.ts';

/*
 * Whether values that were read back from the disk are what they were when they were written. They were decoded from the
 * server's words once; here only their shape is looked at.
 */

/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? value : {};
}

export function isTicket(value: unknown): value is Ticket {
	const { id, ref, tracker, title, createdMs, updatedMs, submitter, description } = fieldsOf(value);
	const { status, resolution, permissions, labels, assignees } = fieldsOf(value);
	return (
		typeof id === 'number' &&
		id >= 1 &&
		areTimes(createdMs, updatedMs) &&
		areTexts(ref, title, description, status, resolution) &&
		isShortTracker(tracker) &&
		isParticipant(submitter) &&
		(permissions === undefined || isPermissions(permissions)) &&
		isTextList(labels) &&
		Array.isArray(assignees) &&
		assignees.every(isShortUser)
	);
}

export function isTracker(value: unknown): value is Tracker {
	const { id, description, defaultPermissions, visibility } = fieldsOf(value);
	return (
		isShortTracker(value) &&
		(id === undefined || typeof id === 'number') &&
		(description === undefined || typeof description === 'string') &&
		(visibility === undefined || typeof visibility === 'string') &&
		(defaultPermissions === undefined || isPermissions(defaultPermissions))
	);
}

export function isShortTracker(value: unknown): value is ShortTracker {
	const { owner, name, createdMs, updatedMs } = fieldsOf(value);
	return isShortUser(owner) && typeof name === 'string' && areTimes(createdMs, updatedMs);
}

export function isLabel(value: unknown): value is Label {
	const { name, colors, createdMs } = fieldsOf(value);
	const { background, text } = fieldsOf(colors);
	return areTexts(name, background, text) && (createdMs === undefined || isTime(createdMs));
}

export function isTextList(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isShortUser(value: unknown): value is ShortUser {
	const { canonicalName, name } = fieldsOf(value);
	return areTexts(canonicalName, name);
}

export function isParticipant(value: unknown): value is Participant {
	const { kind, address, name, externalId, externalUrl } = fieldsOf(value);
	switch (kind) {
		case 'user':
			return isShortUser(value);
		case 'email':
			return typeof address === 'string' && isMaybeText(name);
		case 'external':
			return typeof externalId === 'string' && isMaybeText(externalUrl);
		default:
			return false;
	}
}

function isPermissions(value: unknown): value is Permissions {
	const { anonymous, submitter, user } = fieldsOf(value);
	return isObject(value) && [anonymous, submitter, user].every((words) => words === undefined || isTextList(words));
}

function isMaybeText(value: unknown): boolean {
	return value === undefined || typeof value === 'string';
}

function areTexts(...values: readonly unknown[]): boolean {
	return values.every((value) => typeof value === 'string');
}

/** Beyond this a number of milliseconds is no date, and asking for its words throws. JSON reads `1e999` as infinite. */
const latestMs = 8.64e15;

/** True for milliseconds that are a date. */
export function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= latestMs;
}

function areTimes(...values: readonly unknown[]): boolean {
	return values.every(isTime);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
