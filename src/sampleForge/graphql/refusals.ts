import type { GraphqlAge } from '../shared/dialect.ts';
import { FieldError } from './engine.ts';

/** Errors for missing things: words of 2026, then of 2023. */
const missing = {
	tracker: ['Tracker not found', 'No such tracker'],
	ticket: ['Ticket not found', 'No such ticket'],
	label: ['Label not found', 'No such label'],
	user: ['User not found', 'No such user'],
	subscription: ['Subscription not found', 'No such subscription'],
} as const;

/** Error for a missing or invisible argument of a mutation. */
export function notFound(age: GraphqlAge, what: keyof typeof missing): FieldError {
	const [now, before] = missing[what];
	return age === '2026' ? new FieldError(now, { code: 'ERR_NOT_FOUND' }) : new FieldError(before);
}

/** Error of newer services without a name and a path. */
export function nothingFound(age: GraphqlAge, before: string): FieldError {
	return age === '2026' ? new FieldError('Not found', { code: 'ERR_NOT_FOUND' }, false) : new FieldError(before);
}

/** Error for a visible thing without the needed permission. */
export function refuseAccess(age: GraphqlAge): FieldError {
	return age === '2026'
		? new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false)
		: new FieldError('Access denied');
}

/** Error for invalid input. */
export function invalid(message: string, field?: string): FieldError {
	return new FieldError(message, field === undefined ? {} : { field });
}
