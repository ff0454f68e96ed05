import * as vscode from 'vscode';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { chooseOrType, type Exact } from '../../../editor/ask/chooseOrType.ts';
import { askTied, offerFollowing } from '../../../editor/owned/askOwned.ts';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import { refOfTicket, type Ticket, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject, TrackerSubject } from './subjects.ts';
import { trackerKind } from './trackerKind.ts';
import { offeredResolutions, resolutionText, statusLook, statusText, type OfferedResolution } from './words.ts';

const ticketNumber = /^#?([1-9]\d{0,8})$/;

/** Asks for an own or followed tracker; returns the only one without a question. */
export function askTracker(connections: Connections, signal: AbortSignal): Promise<TrackerSubject> {
	const none = vscode.l10n.t("You have no trackers and don't follow one.");
	const question = { isOnlyTaken: true, none: () => offerFollowing(trackerKind, none) };
	return askTied(trackerKind, connections, question, signal);
}

type TicketChoice =
	| { readonly kind: 'ticket'; readonly ref: TicketRef }
	| { readonly kind: 'number' }
	| { readonly kind: 'more' };

/** Asks for a ticket of a tracker: by its title, by its number, or by reading on. Shows only what `wanted` lets through. */
export async function askTicket(
	connection: Connection,
	tracker: TrackerRef,
	wanted: (ticket: Ticket) => boolean,
	signal: AbortSignal,
): Promise<TicketSubject> {
	let listing = await connection.tickets.tickets(tracker, signal);
	let typed = '';
	for (;;) {
		const counts = countsText(listing.items.length, listing.completeness);
		const rows = listing.items.filter(wanted).map((ticket): Choice<TicketChoice> => {
			const { codicon } = statusLook(ticket.status);
			return {
				label: visibleLine(ticket.title),
				description: `#${ticket.id} · ${statusText(ticket.status, ticket.resolution)}`,
				iconPath: new vscode.ThemeIcon(codicon),
				value: { kind: 'ticket', ref: refOfTicket(ticket) },
			};
		});
		const more: readonly Choice<TicketChoice>[] =
			listing.completeness.kind === 'more'
				? [{ label: vscode.l10n.t('Show More'), description: counts, alwaysShow: true, value: { kind: 'more' } }]
				: [];
		const number: Choice<TicketChoice> = {
			label: vscode.l10n.t('Enter a Ticket Number…'),
			alwaysShow: true,
			value: { kind: 'number' },
		};
		const title = vscode.l10n.t('Choose a ticket of {0}', visibleLine(tracker.name));
		const exact = (text: string): Exact<TicketChoice> | undefined => numberedChoice(text, tracker, listing);
		const answer = await chooseOrType({ title, choices: [...rows, number, ...more], typed, exact }, signal);
		typed = answer.typed;
		const chosen = answer.value;
		switch (chosen.kind) {
			case 'ticket':
				return { kind: 'ticket', connectionKey: connection.key, ref: chosen.ref };
			case 'number':
				return { kind: 'ticket', connectionKey: connection.key, ref: { tracker, id: await askNumber(typed) } };
			case 'more':
				listing = await connection.tickets.reads(tracker).more(signal);
		}
	}
}

/** The ticket with this number, unless the complete list lacks it. */
function numberedChoice(
	typed: string,
	tracker: TrackerRef,
	{ items, completeness }: Listing<Ticket>,
): Exact<TicketChoice> | undefined {
	const id = Number(ticketNumber.exec(typed)?.[1] ?? 0);
	const known = items.find((ticket) => ticket.id === id);
	if (id === 0 || (!known && completeness.kind !== 'more')) {
		return undefined;
	}
	return {
		description: known ? visibleLine(known.title) : vscode.l10n.t('ticket with this number'),
		iconPath: new vscode.ThemeIcon(known ? statusLook(known.status).codicon : 'issues'),
		value: { kind: 'ticket', ref: { tracker, id } },
	};
}

async function askNumber(typed: string): Promise<number> {
	const answer = await askFor({
		title: vscode.l10n.t('Ticket number'),
		typed,
		placeHolder: '12',
		complaint: (value) =>
			ticketNumber.test(value.trim()) ? undefined : vscode.l10n.t('Type the number of a ticket, such as 12.'),
	});
	return Number(ticketNumber.exec(answer)?.[1]);
}

/** Asks for the resolution. `about` names the tickets in readable form. */
export function askResolution(about: string): Promise<OfferedResolution> {
	return choose(
		vscode.l10n.t('Resolve {0} as', about),
		offeredResolutions.map((word) => ({ label: resolutionText(word), value: word })),
	);
}
