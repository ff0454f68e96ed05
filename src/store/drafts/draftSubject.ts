import type { TicketRef } from '../../forge/port/ticket.ts';
import type { TrackerRef } from '../../forge/port/tracker.ts';
import type { DraftSubject, MailDraftSubject, MailSendingSubject, ReviewSubject } from './drafts.ts';
import { reviewPartOf, writtenPart } from './reviewPart.ts';

/** A canonical text for a subject. */
export function draftKey(about: DraftSubject): string {
	const { kind, connectionKey } = about;
	switch (kind) {
		case 'comment':
		case 'ticketText':
			return JSON.stringify([kind, connectionKey, ...ticketParts(about.ref)]);
		case 'editedEntry':
			return JSON.stringify([kind, connectionKey, ...ticketParts(about.ref), about.eventId]);
		case 'editedComment':
			return JSON.stringify([kind, connectionKey, ...ticketParts(about.ref), about.commentId]);
		case 'newTicket':
			return JSON.stringify([kind, connectionKey, about.tracker.owner, about.tracker.name, about.name]);
		case 'description':
			return JSON.stringify([kind, connectionKey, about.tracker.owner, about.tracker.name]);
		case 'listDescription':
		case 'repositoryDescription':
			return JSON.stringify([kind, connectionKey, about.ref.owner, about.ref.name]);
		case 'review': {
			const { ref, patchsetId, part } = about;
			return JSON.stringify([kind, connectionKey, ref.owner, ref.name, patchsetId, writtenPart(part)]);
		}
		case 'mail':
		case 'mailSending':
			return JSON.stringify([kind, connectionKey, about.ref.owner, about.ref.name, about.answers ?? 0, about.name]);
	}
}

function ticketParts({ tracker, id }: TicketRef): readonly (string | number)[] {
	return [tracker.owner, tracker.name, id];
}

/** Inverse of `draftKey`; `undefined` for anything else. */
export function draftSubjectOf(key: string): DraftSubject | undefined {
	const parts = partsOf(key);
	const [kind, connectionKey, owner, name, fourth, fifth] = parts;
	if (typeof connectionKey !== 'string' || typeof owner !== 'string' || typeof name !== 'string') {
		return undefined;
	}
	const tracker: TrackerRef = { owner, name };
	switch (kind) {
		case 'comment':
		case 'ticketText':
		case 'editedEntry':
		case 'editedComment':
			return isNumber(fourth)
				? ticketSubjectOf(kind, { connectionKey, ref: { tracker, id: fourth } }, fifth)
				: undefined;
		case 'newTicket':
			return typeof fourth === 'string' ? { kind, connectionKey, tracker, name: fourth } : undefined;
		case 'description':
			return { kind, connectionKey, tracker };
		case 'listDescription':
		case 'repositoryDescription':
			return { kind, connectionKey, ref: { owner, name } };
		case 'review':
			return reviewSubjectOf({ connectionKey, ref: { owner, name } }, fourth, fifth);
		case 'mail':
		case 'mailSending':
			return mailSubjectOf(kind, { connectionKey, ref: { owner, name } }, fourth, fifth);
		default:
			return undefined;
	}
}

function ticketSubjectOf(
	kind: 'comment' | 'ticketText' | 'editedEntry' | 'editedComment',
	of: { readonly connectionKey: string; readonly ref: TicketRef },
	id: unknown,
): DraftSubject | undefined {
	if (kind === 'comment' || kind === 'ticketText') {
		return { kind, ...of };
	}
	if (!isNumber(id)) {
		return undefined;
	}
	return kind === 'editedEntry' ? { kind, ...of, eventId: id } : { kind, ...of, commentId: id };
}

function reviewSubjectOf(
	of: Pick<ReviewSubject, 'connectionKey' | 'ref'>,
	patchsetId: unknown,
	written: unknown,
): ReviewSubject | undefined {
	const part = reviewPartOf(written);
	return part && isNumber(patchsetId) ? { kind: 'review', ...of, patchsetId, part } : undefined;
}

function mailSubjectOf(
	kind: 'mail' | 'mailSending',
	of: Pick<MailDraftSubject, 'connectionKey' | 'ref'>,
	answers: unknown,
	name: unknown,
): MailDraftSubject | MailSendingSubject | undefined {
	return isNumber(answers) && typeof name === 'string'
		? { kind, ...of, answers: answers === 0 ? undefined : answers, name }
		: undefined;
}

function partsOf(key: string): readonly unknown[] {
	try {
		const parsed: unknown = JSON.parse(key);
		return Array.isArray(parsed) ? parsed : [];
	} catch {
		return [];
	}
}

function isNumber(value: unknown): value is number {
	return Number.isSafeInteger(value);
}
