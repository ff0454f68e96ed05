import type { Ticket } from '../forge/ticket.ts';

/** True when two values of the domain, made of plain objects, arrays, texts and numbers, say the same. */
export function isSameValue(one: unknown, other: unknown): boolean {
	if (one === other) {
		return true;
	}
	if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
		return false;
	}
	return areSame(one, other);
}

/**
 * True when two readings of a ticket say the same of it. What they say of its tracker does not count: that changes with
 * every other ticket there.
 */
export function isSameTicket(one: Ticket, other: Ticket): boolean {
	return one === other || (isObject(one) && isObject(other) && areSame(one, other, 'tracker'));
}

type Fields = Readonly<Record<string, unknown>>;

/** What is undefined on one side may be missing on the other. Thousands of tickets are compared at a time. */
function areSame(one: Fields, other: Fields, but?: string): boolean {
	for (const name of Object.keys(one)) {
		if (name !== but && !isSameValue(one[name], other[name])) {
			return false;
		}
	}
	for (const name of Object.keys(other)) {
		if (one[name] === undefined && other[name] !== undefined && name !== but) {
			return false;
		}
	}
	return true;
}

function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null;
}
