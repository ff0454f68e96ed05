import { signedInOr, textField, ToolInputError } from '../../../editor/models/toolInput.ts';
import { ticketLimits } from '../../../forge/port/ticketLimits.ts';
import type { TrackerRef } from '../../../forge/port/tracker.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { readerOf } from '../subjects/knownTrackers.ts';
import type { TicketSubject, TrackerSubject } from '../subjects/subjects.ts';
import { pastedReference } from '../subjects/webLink.ts';
import { offeredResolution, offeredResolutions, type OfferedResolution } from '../subjects/words.ts';

/*
 * Tool input is untrusted. Error texts are English sentences for the model, so that it can correct its input.
 */

/** The ticket that the field "ticket" names: `~owner/tracker#12` or its address. */
export function ticketField(input: unknown, connections: Connections): TicketSubject {
	const text = textField(input, 'ticket') ?? '';
	const all = signedInOr(connections.all());
	for (const connection of all) {
		const reference = pastedReference(text, connection.instance.areas.todo);
		if (reference?.kind === 'ticket') {
			const { key } = accountFor(text, reference.ticket.tracker, { all, connection });
			return { kind: 'ticket', connectionKey: key, ref: reference.ticket };
		}
	}
	throw new ToolInputError('Name the ticket as ~owner/tracker#12 or by its address on a forge that is signed in to.');
}

/** The tracker in the field "tracker", as `~owner/name`; `undefined` without the field. */
export function trackerField(input: unknown, connections: Connections): TrackerSubject | undefined {
	const text = textField(input, 'tracker');
	const all = signedInOr(connections.all());
	if (text === undefined) {
		return undefined;
	}
	for (const connection of all) {
		const reference = pastedReference(text, connection.instance.areas.todo);
		if (reference?.kind === 'tracker') {
			const ref = reference.tracker;
			return { kind: 'tracker', connectionKey: accountFor(text, ref, { all, connection }).key, ref };
		}
	}
	throw new ToolInputError('Name the tracker as ~owner/name.');
}

/** A comment of a length that forges take. */
export function commentField(input: unknown, name: string): string | undefined {
	const text = textField(input, name);
	const { shortestComment, longestComment } = ticketLimits;
	if (text !== undefined && (text.trim().length < shortestComment || text.length > longestComment)) {
		throw new ToolInputError(`The field "${name}" has to have ${shortestComment} to ${longestComment} characters.`);
	}
	return text;
}

/** A resolution that the tool offers. */
export function resolutionField(input: unknown): OfferedResolution {
	const resolution = offeredResolution(textField(input, 'resolution') ?? '');
	if (!resolution) {
		throw new ToolInputError(`The field "resolution" has to be one of: ${offeredResolutions.join(', ')}.`);
	}
	return resolution;
}

interface Accounts {
	readonly all: readonly Connection[];
	/** The first account whose forge fits the text. */
	readonly connection: Connection;
}

/** An address names its forge, so consider only that forge's accounts. */
function accountFor(text: string, ref: TrackerRef, { all, connection }: Accounts): Connection {
	const isAddress = /^\s*https?:/i.test(text);
	const { id } = connection.instance;
	return readerOf(ref, isAddress ? all.filter(({ instance }) => instance.id === id) : all) ?? connection;
}
