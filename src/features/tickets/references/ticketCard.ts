import * as vscode from 'vscode';
import { agoText } from '../../../editor/ask/readBefore.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { statusText, personName } from '../subjects/words.ts';
import type { TicketState } from './ticketLookups.ts';

/** Longer titles are no titles. */
const longestTitle = 300;

/**
 * Card about a ticket. It contains no links or commands: the link that opens the ticket belongs to the reference and
 * contains no remote text.
 */
export function ticketCard(ref: TicketRef, look: TicketState, nowMs: number): vscode.MarkdownString {
	const name = `**${escapeMarkdown(visibleLine(ticketRefText(ref)))}**`;
	switch (look.kind) {
		case 'missing':
			return untrustedMarkdown([
				name,
				plain(vscode.l10n.t("This ticket doesn't exist, or you don't have access to it.")),
			]);
		case 'known': {
			const { ticket, checkedAtMs } = look;
			const age = (atMs: number): string => agoText(atMs, nowMs, 'long');
			const labels = ticket.labels.map(visibleLine).join(', ');
			return untrustedMarkdown([
				`${name} · ${plain(statusText(ticket.status, ticket.resolution))}`,
				plain(Array.from(ticket.title).slice(0, longestTitle).join('')),
				labels === '' ? '' : plain(vscode.l10n.t('Labels: {0}', labels)),
				plain(vscode.l10n.t('Submitted by {0} {1}', personName(ticket.submitter), age(ticket.createdMs))),
				plain(vscode.l10n.t('Updated {0}', age(ticket.updatedMs))),
				checkedAtMs === undefined ? '' : plain(vscode.l10n.t('Data from {0}', agoText(checkedAtMs, nowMs, 'long'))),
			]);
		}
	}
}

function plain(text: string): string {
	return escapeMarkdown(visibleLine(text));
}
