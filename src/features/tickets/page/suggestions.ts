import { assertNever } from '@forge-desk/base/assertNever.ts';
import { mentionText, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { CompletionWish, Suggestion } from '../../../pages/protocol/ticketProtocol.ts';
import { foldText } from '../../../engine/search/foldText.ts';
import { quoteValue } from '../../../engine/search/filterWords.ts';
import type { Connection } from '../../../store/connection.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { peopleAround } from '../subjects/peopleAround.ts';
import { labelLooks } from './pageState.ts';
import { labelView } from './sentence.ts';

/** Longer lists are hard to scan. */
const most = 8;

/** Completions for a person, ticket or label, best match first. Uses loaded data only. */
export function suggestions(
	connection: Connection,
	ref: TicketRef,
	{ kind, text }: CompletionWish,
): readonly Suggestion[] {
	switch (kind) {
		case 'person': {
			const wanted = text.toLowerCase();
			return firstOf(peopleAround(connection, ref), (name) =>
				name.slice(1).toLowerCase().startsWith(wanted) ? { insert: name, detail: '' } : undefined,
			);
		}
		case 'ticket':
			return tickets(connection, ref, text);
		case 'label':
			return labels(connection, ref, text);
		default:
			return assertNever(kind);
	}
}

function tickets({ index, me }: Connection, { tracker, id }: TicketRef, text: string): readonly Suggestion[] {
	const words = text.toLowerCase().split(' ').filter(Boolean);

	return firstOf(index.tickets(tracker), ({ ticket }) =>
		ticket.id !== id &&
		(String(ticket.id).startsWith(text) || words.every((word) => ticket.title.toLowerCase().includes(word)))
			? { insert: mentionText({ tracker, id: ticket.id }, me), detail: visibleLine(ticket.title) }
			: undefined,
	);
}

function firstOf<T>(all: Iterable<T>, suggest: (each: T) => Suggestion | undefined): readonly Suggestion[] {
	const found: Suggestion[] = [];
	for (const each of all) {
		const suggestion = suggest(each);
		found.push(...(suggestion ? [suggestion] : []));
		if (found.length === most) {
			break;
		}
	}
	return found;
}

/** Prefix matches first. Skips labels with deceptive characters. */
function labels(connection: Connection, ref: TicketRef, text: string): readonly Suggestion[] {
	const known = connection.tickets.trackers.knownLabels(ref.tracker);
	const here = connection.tickets.knownTicket(ref)?.labels ?? [];
	const names = new Set([...known.map(({ name }) => name), ...here]);
	const wanted = foldText(text);
	const fitting = Array.from(names).filter((name) => foldText(name).includes(wanted) && visibleLine(name) === name);
	const begins = (name: string): boolean => foldText(name).startsWith(wanted);
	const looks = labelLooks(known);
	return [...fitting.filter(begins), ...fitting.filter((name) => !begins(name))]
		.slice(0, most)
		.map((name) => ({ insert: quoteValue(name), detail: '', label: labelView(name, looks) }));
}
