import type { GraphqlAge } from '../shared/dialect.ts';
import { FieldError } from './engine.ts';

/** What cannot be found, each with the words of older services. */
const missing = {
	tracker: ['Tracker not found', 'No such tracker'],
	ticket: ['Ticket not found', 'No such ticket'],
	label: ['Label not found', 'No such label'],
	user: ['User not found', 'No such user'],
	subscription: ['Subscription not found', 'No such subscription'],
} as const;

/** A thing that a mutation names is not there, or not for the one who asks. */
export function notFound(age: GraphqlAge, what: keyof typeof missing): FieldError {
	const [now, before] = missing[what];
	return age === '2026' ? new FieldError(now, { code: 'ERR_NOT_FOUND' }) : new FieldError(before);
}

/** The refusal of newer services that does not say what was looked for, nor where. */
export function nothingFound(age: GraphqlAge, before: string): FieldError {
	return age === '2026' ? new FieldError('Not found', { code: 'ERR_NOT_FOUND' }, false) : new FieldError(before);
}

/** It is there, and the one who asks may not do this. */
export function refuseAccess(age: GraphqlAge): FieldError {
	return age === '2026'
		? new FieldError('Access denied', { code: 'ERR_ACCESS_DENIED' }, false)
		: new FieldError('Access denied');
}

/** What was sent cannot be taken. */
export function invalid(message: string, field?: string): FieldError {
	return new FieldError(message, field === undefined ? {} : { field });
}
