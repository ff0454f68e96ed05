import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { cancelled, type Choice } from '../../../editor/ask/ask.ts';
import { chooseOrType } from '../../../editor/ask/chooseOrType.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { originOf } from 'sourcehut/port/instance.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { refOfTicket, ticketRefText, type Ticket, type TicketRef } from 'sourcehut/port/ticket.ts';
import { similarTicketsResting } from '../../../engine/search/similarTickets.ts';
import { referencesIn } from '../../../engine/text/references.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { knownTicket, ticketsInWords } from '../subjects/ticketTarget.ts';
import { statusLook, statusText } from '../subjects/words.ts';

const mostSimilar = 5;
/** A longer list scrolls badly. Any other ticket can be typed. */
const mostRows = 500;

/**
 * Asks for the ticket that these tickets duplicate, similar titles first. `undefined` for a duplicate without an original.
 * Throws `cancelled()` if the user closes the list, and after a message for tickets of several accounts.
 */
export async function askOriginal(
	context: TicketsContext,
	duplicates: readonly TicketSubject[],
	signal: AbortSignal,
): Promise<TicketRef | undefined> {
	const [first] = duplicates;
	if (!first || duplicates.some(({ connectionKey }) => connectionKey !== first.connectionKey)) {
		void notify('warning', vscode.l10n.t('Resolve duplicates of one account at a time.'));
		throw cancelled();
	}
	const { tickets, index } = connectionOf(context.connections, first);
	const { tracker } = first.ref;
	const excluded = new Set(duplicates.map(({ ref }) => ticketRefText(ref).toLowerCase()));
	const isOffered = (ref: TicketRef): boolean => !excluded.has(ticketRefText(ref).toLowerCase());
	const indexed = index.tickets(tracker).filter(({ ticket }) => isOffered(refOfTicket(ticket)));
	const wanted = { title: knownTicket(context, first)?.title ?? '', limit: mostSimilar };
	const similar = (await similarTicketsResting(wanted, indexed, resting(context.clock), signal)).map(
		({ ticket }) => ticket,
	);
	const all =
		indexed.length > 0
			? indexed.map(({ ticket }) => ticket).toSorted((one, other) => other.updatedMs - one.updatedMs)
			: (await tickets.tickets(tracker, signal)).items.filter((ticket) => isOffered(refOfTicket(ticket)));
	const others = all.filter((ticket) => !similar.includes(ticket)).slice(0, mostRows);
	const rowOf = (ticket: Ticket, note?: string): Choice<TicketRef | undefined> => ({
		label: visibleLine(ticket.title),
		description: [
			`#${ticket.id}`,
			statusText(ticket.status, ticket.resolution),
			...(note === undefined ? [] : [note]),
		].join(' · '),
		iconPath: new vscode.ThemeIcon(statusLook(ticket.status).codicon),
		value: refOfTicket(ticket),
	});
	const question = {
		title: vscode.l10n.t('Original of {0}', ticketsInWords(context, duplicates)),
		choices: [
			...similar.map((ticket) => rowOf(ticket, vscode.l10n.t('similar title'))),
			{ label: vscode.l10n.t('Without an Original'), alwaysShow: true, value: undefined },
			...others.map((ticket) => rowOf(ticket)),
		],
		exact(typed: string) {
			const [found] = referencesIn(/^\d+$/.test(typed) ? `#${typed}` : typed, []);
			if (!found || !('written' in found) || found.written.kind !== 'ticket' || found.end < typed.length) {
				return undefined;
			}
			const { owner = tracker.owner, name = tracker.name, id } = found.written;
			const ref = { tracker: { owner, name }, id };
			const known = tickets.knownTicket(ref);
			return isOffered(ref)
				? {
						description: known ? visibleLine(known.title) : vscode.l10n.t('ticket with this number'),
						iconPath: new vscode.ThemeIcon(known ? statusLook(known.status).codicon : 'issues'),
						value: ref,
					}
				: undefined;
		},
	};
	const { value: original } = await chooseOrType<TicketRef | undefined>(question, signal);
	// A reference to a missing ticket links nothing.
	return original && refOfTicket(await tickets.ticket(original, signal));
}

/** A comment that links a duplicate with its original: forges add a mention to the original. */
export function duplicateText({ tracker }: TicketRef, original: TicketRef): string {
	const isSame = refText(tracker).toLowerCase() === refText(original.tracker).toLowerCase();
	return `Duplicate of ${isSame ? `#${original.id}` : ticketRefText(original)}.`;
}

/**
 * The comment of a duplicate with a reference to its original, unless it names a ticket already. `undefined` if the user
 * closed the question.
 */
export async function withOriginal(
	context: TicketsContext,
	subject: TicketSubject,
	comment: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { instance } = connectionOf(context.connections, subject);
	const found = referencesIn(comment, [new URL(originOf(instance, 'todo')).origin]);
	if (found.some((each) => ('written' in each ? each.written : each.address).kind === 'ticket')) {
		return comment;
	}
	try {
		const original = await askOriginal(context, [subject], signal);
		const above = comment.trimEnd();
		return original === undefined
			? comment
			: `${above}${above === '' ? '' : '\n\n'}${duplicateText(subject.ref, original)}`;
	} catch (error) {
		if (isAbort(error)) {
			return undefined;
		}
		throw error;
	}
}
