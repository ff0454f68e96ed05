import * as vscode from 'vscode';
import { rowContext } from '../../../commands/rows.ts';
import { extraParagraphs, unsentMark } from '../../../editor/ask/extraFields.ts';
import { markSentence, markText } from '../../../editor/trees/markTexts.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { ticketRefText, type Ticket, type TicketRef } from '../../../forge/ticket.ts';
import type { Connection } from '../../../state/connection.ts';
import type { Mark } from '../../../forge/mark.ts';
import { fullTime } from '../../../text/age.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { RowAges } from './rowAges.ts';
import { noRefusals, possibility, ticketRights } from '../subjects/permissions.ts';
import { ticketUri } from './ticketUri.ts';
import { statusLook, statusText } from '../subjects/words.ts';
import { personName } from '../subjects/personName.ts';

/** More labels would push age and marks out of a row. */
const labelsInRow = 3;

export interface TicketRowParts {
	readonly connection: Connection;
	readonly ref: TicketRef;
	readonly ticket: Ticket;
	/** The tracker, one of its groups, or a queue. */
	readonly parent: TreeNode;
	readonly id: string;
	/** True if rows of other trackers surround this one, so the label names the tracker. */
	readonly namesTracker: boolean;
	readonly mark: Mark | undefined;
	readonly ages: RowAges;
}

/** Row of a ticket. Computes its age on each draw. */
export function ticketRow(parts: TicketRowParts): TreeNode {
	const { connection, ref, ticket, parent, id, mark } = parts;
	const subject: TicketSubject = { kind: 'ticket', connectionKey: connection.key, ref };
	return {
		id,
		get item() {
			return ticketItem(parts, subject);
		},
		agedMs: ticket.updatedMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(ticketTooltip(ticket, ref, mark)),
	};
}

function ticketItem(parts: TicketRowParts, subject: TicketSubject): vscode.TreeItem {
	const { connection, ref, ticket, ages } = parts;
	const { codicon, color } = statusLook(ticket.status);
	const item = new vscode.TreeItem(labelOf(parts), vscode.TreeItemCollapsibleState.None);
	const labels = ticket.labels.slice(0, labelsInRow).map(visibleLine).join(', ');
	const facts = [ages.short(ticket.updatedMs), labels, ...unsentMark(ticket)];
	item.description = facts.filter((fact) => fact !== '').join(' · ');
	item.iconPath = new vscode.ThemeIcon(codicon, color === undefined ? undefined : new vscode.ThemeColor(color));
	item.contextValue = contextOf(parts);
	// The editor looks up decorations by URI; the unread dot is one.
	item.resourceUri = ticketUri(connection.key, ref);
	item.accessibilityInformation = { label: spokenRow(parts) };
	item.command = { command: 'forge.tickets.open', title: vscode.l10n.t('Open Ticket'), arguments: [subject] };
	return item;
}

function contextOf({ connection, ticket, mark }: TicketRowParts): string {
	const { canAssign, canEdit, canDelete } = ticketRights(connection, ticket);
	const of = { connection, ticket, refusals: noRefusals };
	return rowContext(ticket.status === 'resolved' ? 'ticket.resolved' : 'ticket.open', {
		unread: mark !== undefined,
		noTriage: possibility('triage', of).kind === 'impossible',
		noComment: possibility('comment', of).kind === 'impossible',
		assigns: canAssign?.kind === 'possible',
		edits: canEdit?.kind === 'possible',
		deletes: canDelete?.kind === 'possible',
		mails: connection.writes.subscriptions !== undefined,
	});
}

/** Number first, so a narrow view never cuts it off. */
function labelOf({ ticket, ref, namesTracker }: TicketRowParts): string {
	const number = namesTracker ? `${visibleLine(ref.tracker.name)}#${ref.id}` : `#${ref.id}`;
	return `${number} ${visibleLine(ticket.title)}`;
}

/** Starts with the visible label, so voice control users can say it. */
function spokenRow(parts: TicketRowParts): string {
	const { ticket, mark, ages } = parts;
	const facts = [
		labelOf(parts),
		...(mark ? [markText(mark)] : []),
		statusText(ticket.status, ticket.resolution),
		vscode.l10n.t('updated {0}', ages.spoken(ticket.updatedMs)),
		...unsentMark(ticket),
	];
	return ticket.labels.length === 0
		? facts.join(', ')
		: [...facts, vscode.l10n.t('labels: {0}', ticket.labels.map(visibleLine).join(', '))].join(', ');
}

function ticketTooltip(ticket: Ticket, ref: TicketRef, mark: Mark | undefined): vscode.MarkdownString {
	const locale = vscode.env.language;
	return untrustedMarkdown([
		`**${escapeMarkdown(visibleLine(ticket.title))}**`,
		escapeMarkdown(visibleLine(ticketRefText(ref))),
		escapeMarkdown(statusText(ticket.status, ticket.resolution)),
		mark ? escapeMarkdown(markSentence(mark)) : '',
		escapeMarkdown(
			vscode.l10n.t('Submitted by {0} on {1}', personName(ticket.submitter), fullTime(ticket.createdMs, locale)),
		),
		escapeMarkdown(vscode.l10n.t('Updated on {0}', fullTime(ticket.updatedMs, locale))),
		escapeMarkdown(ticket.labels.map(visibleLine).join(', ')),
		escapeMarkdown(ticket.assignees.map(({ canonicalName }) => visibleLine(canonicalName)).join(', ')),
		...extraParagraphs(ticket),
	]);
}
