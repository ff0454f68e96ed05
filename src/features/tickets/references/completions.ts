import * as vscode from 'vscode';
import { mentionText, ticketRefText, type Ticket, type TicketRef } from 'sourcehut/port/ticket.ts';
import type { TrackerRef } from 'sourcehut/port/tracker.ts';
import type { Connection } from '../../../store/connection.ts';
import type { ActingTrailer } from 'patchmail/series/commitTrailers.ts';
import { foldedHolds } from '../../../engine/search/foldText.ts';
import { visibleLine } from '../../../engine/text/visible.ts';

import { statusText } from '../subjects/words.ts';
import { withCancellation } from '../../../editor/ask/withCancellation.ts';
import { knownTickets } from '../subjects/known.ts';
import { completionSite, type CompletionSite } from './completionSite.ts';
import { folderOfDocument } from './linkProviders.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { TicketState } from './ticketLookups.ts';
import { ticketCard } from './ticketCard.ts';
import { webAddress } from '../../../editor/links/webOf.ts';

/** Longer lists are hard to scan; typing narrows them. */
const mostOffered = 2000;
const longestTitle = 120;

/** A completion item with the data for its card. */
class TicketItem extends vscode.CompletionItem {
	readonly ref: TicketRef;
	readonly look: TicketState;

	constructor(label: vscode.CompletionItemLabel, ref: TicketRef, look: TicketState) {
		super(label, vscode.CompletionItemKind.Reference);
		this.ref = ref;
		this.look = look;
	}
}

/**
 * Completes open tickets of the folder's tracker after `#`, and trailers in commit messages. Uses loaded tickets; loads
 * the first page of a tracker without any.
 */
export function referenceCompletions({ connections, folders, clock }: TicketsContext): vscode.CompletionItemProvider {
	return {
		async provideCompletionItems(document, position, token) {
			const site = completionSite(document.getText(), document.offsetAt(position), document.languageId);
			if (!site) {
				return undefined;
			}
			const range = new vscode.Range(document.positionAt(site.from), position);
			if (site.kind === 'trailerKey') {
				return site.keys.map((key) => {
					const item = new vscode.CompletionItem(
						{ label: `${key}:`, description: meaning(key) },
						vscode.CompletionItemKind.Keyword,
					);
					item.insertText = `${key}: `;
					item.filterText = key;
					item.range = range;
					item.command = { command: 'editor.action.triggerSuggest', title: vscode.l10n.t('Choose a ticket') };
					return item;
				});
			}
			const uri = folderOfDocument(document);
			const folder = uri && (await withCancellation(token, (signal) => folders.of(uri, signal)));
			const connection = connections.byKey(folder?.tracker?.connectionKey ?? '');
			if (!folder?.tracker || !connection) {
				return undefined;
			}
			const { ref } = folder.tracker;
			const known = await withCancellation(token, (signal) => knownTickets(connection, ref, signal));
			const tickets = known?.map(({ ticket }) => ticket);
			return tickets && ticketItems(connection, ref, tickets, site.kind, { range, typed: document.getText(range) });
		},
		resolveCompletionItem(item) {
			if (item instanceof TicketItem) {
				item.documentation = ticketCard(item.ref, item.look, clock.nowMs());
			}
			return item;
		},
	};
}

function meaning(key: ActingTrailer): string {
	switch (key) {
		case 'Closes':
			return vscode.l10n.t('resolves a ticket as closed');
		case 'Fixes':
			return vscode.l10n.t('resolves a ticket as fixed');
		case 'Implements':
			return vscode.l10n.t('resolves a ticket as implemented');
		case 'References':
			return vscode.l10n.t('mentions the commit in a ticket');
	}
}

function ticketItems(
	connection: Connection,
	tracker: TrackerRef,
	tickets: readonly Ticket[],
	kind: CompletionSite['kind'],
	{ range, typed }: { readonly range: vscode.Range; readonly typed: string },
): vscode.CompletionList<TicketItem> {
	const open = tickets.filter(({ status }) => status !== 'resolved').toSorted((a, b) => b.updatedMs - a.updatedMs);
	const items = offeredTickets(open, typed, mostOffered).map((ticket, place) => {
		const ref = { tracker, id: ticket.id };
		const title = Array.from(visibleLine(ticket.title)).slice(0, longestTitle).join('');
		const item = new TicketItem(
			{ label: `#${ticket.id}`, detail: ` ${title}`, description: statusText(ticket.status, ticket.resolution) },
			ref,
			{ kind: 'known', ticket, checkedAtMs: connection.index.checkedAtMs(ref) },
		);
		const address = webAddress(connection.instance, { kind: 'ticket', ref: ref });
		item.insertText = kind === 'reference' ? mentionText(ref, connection.me) : address;
		item.filterText =
			kind === 'reference' ? `#${ticket.id} ${title}` : `${ticket.id} #${ticket.id} ${title} ${address}`;
		item.sortText = String(place).padStart(6, '0');
		item.range = range;
		item.detail = visibleLine(ticketRefText(ref));
		return item;
	});
	return new vscode.CompletionList(items, open.length > mostOffered);
}

/**
 * At most `most` of the tickets. Beyond that, tickets whose number or title contains the typed text go first, so that
 * further typing finds every ticket.
 */
export function offeredTickets(tickets: readonly Ticket[], typed: string, most: number): readonly Ticket[] {
	const wanted = typed.replace(/^#/, '');
	if (tickets.length <= most || wanted === '') {
		return tickets.slice(0, most);
	}
	const holds = foldedHolds(wanted);
	const fits = (ticket: Ticket): boolean => String(ticket.id).startsWith(wanted) || holds(ticket.title);
	return [...tickets.filter(fits), ...tickets.filter((ticket) => !fits(ticket))].slice(0, most);
}
