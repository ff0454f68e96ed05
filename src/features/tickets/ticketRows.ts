import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import { untrustedMarkdown } from '../../editor/untrustedMarkdown.ts';
import { ticketRefText, type Ticket, type TicketRef } from '../../forge/ticket.ts';
import { trackerRefText, type Tracker, type TrackerRef } from '../../forge/tracker.ts';
import type { Participant } from '../../forge/user.ts';
import type { Connection } from '../../state/connection.ts';
import { fullTime, shortAge, spokenAge } from '../../text/age.ts';
import { escapeMarkdown } from '../../text/escapeMarkdown.ts';
import { visibleLine } from '../../text/visible.ts';
import type { TicketSubject, TrackerSubject } from './subjects.ts';
import { statusLook, statusText } from './words.ts';
import { extraParagraphs } from '../../text/extraFields.ts';

/** Labels beyond these would push the facts out of a row. */
const labelsInRow = 3;

type Children = NonNullable<TreeNode['children']>;

export interface TrackerRowParts {
	readonly connection: Connection;
	readonly ref: TrackerRef;
	/** `undefined` for a followed tracker that was not read yet. */
	readonly tracker: Tracker | undefined;
	readonly parent: TreeNode | undefined;
	readonly children: Children;
}

/** Row of a tracker. */
export function trackerRow({ connection, ref, tracker, parent, children }: TrackerRowParts): TreeNode {
	const isOwn = ref.owner === connection.me;
	const item = new vscode.TreeItem(visibleLine(ref.name), vscode.TreeItemCollapsibleState.Collapsed);
	const open = openCount(connection, ref);
	item.description = [visibleLine(ref.owner), open].filter((fact) => fact !== undefined).join(' · ');
	item.iconPath = new vscode.ThemeIcon('project');
	item.contextValue = isOwn ? 'forge.tracker.own' : 'forge.tracker.followed';
	item.accessibilityInformation = {
		label: [vscode.l10n.t('Tracker {0} of {1}', visibleLine(ref.name), visibleLine(ref.owner)), open]
			.filter((fact) => fact !== undefined)
			.join(', '),
	};
	const subject: TrackerSubject = { kind: 'tracker', connectionKey: connection.key, ref };
	return {
		id: trackerRowId(connection, ref),
		item,
		parent,
		children,
		subject,
		tooltip: async (signal) => trackerTooltip(ref, tracker ?? (await connection.tickets.tracker(ref, signal))),
	};
}

/** Id of a tracker's row: the same wherever it hangs. */
function trackerRowId(connection: Connection, ref: TrackerRef): string {
	return `${connection.key}/${trackerRefText(ref)}`;
}

/** Said only when all tickets are known: half a count helps nobody. */
function openCount({ tickets }: Connection, ref: TrackerRef): string | undefined {
	const listing = tickets.knownTickets(ref);
	if (listing?.completeness.kind !== 'complete') {
		return undefined;
	}
	return vscode.l10n.t('{0} open', listing.items.filter(({ status }) => status !== 'resolved').length);
}

function trackerTooltip(ref: TrackerRef, tracker: Tracker): vscode.MarkdownString {
	const text = visibleLine(tracker.description ?? '');
	const first = Array.from(text).slice(0, 300).join('');
	const name = escapeMarkdown(visibleLine(trackerRefText(ref)));
	return untrustedMarkdown([`**${name}**`, escapeMarkdown(first), ...extraParagraphs(tracker)]);
}

export interface TicketRowParts {
	readonly connection: Connection;
	readonly ref: TicketRef;
	readonly ticket: Ticket;
	readonly parent: TreeNode | undefined;
	readonly clock: Clock;
}

/** Row of a ticket: number and age first, because those are what people say. */
export function ticketRow({ connection, ref, ticket, parent, clock }: TicketRowParts): TreeNode {
	const { codicon, color } = statusLook(ticket.status);
	const title = visibleLine(ticket.title);
	const locale = vscode.env.language;
	const labels = ticket.labels.slice(0, labelsInRow).map(visibleLine);
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
	const age = shortAge(ticket.updatedMs, clock.nowMs(), locale);
	item.description = [`#${ref.id}`, age, ...(labels.length > 0 ? [labels.join(', ')] : [])].join(' · ');
	item.iconPath = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
	item.contextValue = ticket.status === 'resolved' ? 'forge.ticket.resolved' : 'forge.ticket.open';
	item.accessibilityInformation = { label: spokenRow(ticket, ref, clock.nowMs()) };
	const subject: TicketSubject = { kind: 'ticket', connectionKey: connection.key, ref };
	item.command = { command: 'forge.tickets.open', title: vscode.l10n.t('Open Ticket'), arguments: [subject] };
	return {
		id: `${trackerRowId(connection, ref.tracker)}#${ref.id}`,
		item,
		parent,
		subject,
		tooltip: () => Promise.resolve(ticketTooltip(ticket, ref)),
	};
}

function spokenRow(ticket: Ticket, ref: TicketRef, nowMs: number): string {
	const facts = [
		visibleLine(ticket.title),
		vscode.l10n.t('ticket {0}', ref.id),
		statusText(ticket.status, ticket.resolution),
		vscode.l10n.t('updated {0}', spokenAge(ticket.updatedMs, nowMs, vscode.env.language)),
	];
	return ticket.labels.length === 0
		? facts.join(', ')
		: [...facts, vscode.l10n.t('labels: {0}', ticket.labels.map(visibleLine).join(', '))].join(', ');
}

function ticketTooltip(ticket: Ticket, ref: TicketRef): vscode.MarkdownString {
	const locale = vscode.env.language;
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(ticket.title))}**`,
		escapeMarkdown(visibleLine(ticketRefText(ref))),
		escapeMarkdown(statusText(ticket.status, ticket.resolution)),
		escapeMarkdown(
			vscode.l10n.t('Submitted by {0} on {1}', nameOf(ticket.submitter), fullTime(ticket.createdMs, locale)),
		),
		escapeMarkdown(vscode.l10n.t('Updated on {0}', fullTime(ticket.updatedMs, locale))),
		escapeMarkdown(ticket.labels.map(visibleLine).join(', ')),
		escapeMarkdown(ticket.assignees.map(({ canonicalName }) => visibleLine(canonicalName)).join(', ')),
		...extraParagraphs(ticket),
	]);
}

/** Somebody's name in plain text. */
function nameOf(person: Participant): string {
	switch (person.kind) {
		case 'user':
			return visibleLine(person.canonicalName);
		case 'email':
			return visibleLine(person.name ?? person.address);
		case 'external':
			return visibleLine(person.externalId);
	}
}
