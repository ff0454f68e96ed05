import * as vscode from 'vscode';
import { trackerRefText, type Label, type TrackerRef } from '../../forge/tracker.ts';
import type { Ticket, TicketRef } from '../../forge/ticket.ts';
import { ticketRefText } from '../../forge/ticket.ts';
import type { LabelView, TicketPageState, TimelineView } from '../../protocol/ticketProtocol.ts';
import type { Connection } from '../../state/connection.ts';
import type { MarkdownRenderer } from '../../text/markdown.ts';
import { readablePair } from '../../text/contrast.ts';
import { visibleLine } from '../../text/visible.ts';
import { possibility, type Refusals } from './permissions.ts';
import { labelView, personPart, sentence, userPart } from './sentence.ts';
import { entryView, timelineCounts } from './timelineView.ts';
import { ticketWebLink } from './webLink.ts';
import { statusLook, statusText } from './words.ts';

/** What the page's state is made of. */
export interface PageStateParts {
	readonly connection: Connection;
	readonly ref: TicketRef;
	readonly ticket: Ticket;
	readonly renderer: MarkdownRenderer;
	readonly refusals: Refusals;
	/** Why the timeline could not be read, as a sentence. */
	readonly timelineFailure: string | undefined;
}

/** All that the page shows, from what the store knows now. */
export function pageState(parts: PageStateParts): TicketPageState {
	const { connection, ref, ticket, renderer } = parts;
	const looks = labelLooks(connection.tickets.knownLabels(ref.tracker));
	const base = ticketWebLink(connection.instance, ref);
	const html = (markdown: string): string => renderer.render(markdown, { base, tracker: ref.tracker });
	const possible = { connection, ticket, refusals: parts.refusals };
	return {
		reference: ticketRefText(ref),
		title: visibleLine(ticket.title),
		status: {
			icon: statusLook(ticket.status).pageIcon,
			text: statusText(ticket.status, ticket.resolution),
		},
		isResolved: ticket.status === 'resolved',
		labels: ticket.labels.map((name) => labelView(name, looks)),
		submitted: sentence(vscode.l10n.t('{0} submitted this'), personPart(ticket.submitter, connection.instance)),
		submittedAtMs: ticket.createdMs,
		assigned: assigned(ticket, connection),
		descriptionHtml: ticket.description.trim() === '' ? '' : html(ticket.description),
		timeline: timeline(parts, { looks, html }),
		canComment: possibility('comment', possible),
		canTriage: possibility('triage', possible),
	};
}

/** Colours of a tracker's labels by name, made readable. */
function labelLooks(labels: readonly Label[]): ReadonlyMap<string, LabelView> {
	return new Map(labels.map(({ name, colors }) => [name, { name: visibleLine(name), colors: readablePair(colors) }]));
}

/** Title of the page's tab. */
export function tabTitle(ref: TicketRef, title: string | undefined): string {
	return title === undefined ? `${shortName(ref.tracker)}#${ref.id}` : `#${ref.id} ${shortened(visibleLine(title))}`;
}

function shortName(tracker: TrackerRef): string {
	return tracker.name === '' ? trackerRefText(tracker) : tracker.name;
}

function shortened(title: string): string {
	const characters = Array.from(title);
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : title;
}

function assigned(ticket: Ticket, connection: Connection): TicketPageState['assigned'] {
	if (ticket.assignees.length === 0) {
		return undefined;
	}
	const people = ticket.assignees.flatMap((user, at) => [
		...(at > 0 ? [{ kind: 'text', text: ', ' } as const] : []),
		userPart(user, connection.instance),
	]);
	return sentence(vscode.l10n.t('Assigned to {0}'), people);
}

function timeline(
	{ connection, ref, timelineFailure }: PageStateParts,
	{ looks, html }: { readonly looks: ReadonlyMap<string, LabelView>; readonly html: (markdown: string) => string },
): TimelineView {
	const listing = connection.tickets.knownEvents(ref);
	if (!listing) {
		return timelineFailure === undefined ? { kind: 'loading' } : { kind: 'failed', reason: timelineFailure };
	}
	const context = { instance: connection.instance, ref, labels: looks, html };
	return {
		kind: 'ready',
		entries: listing.items.map((event) => entryView(event, context)),
		hasOlder: listing.completeness.kind === 'more',
		counts: timelineCounts(listing),
	};
}
