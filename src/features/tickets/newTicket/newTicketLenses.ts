import * as vscode from 'vscode';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { refOfTicket, type Ticket } from '../../../forge/ticket.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { newTicketOf, type NewTicketChecks } from './newTicketChecks.ts';

/** Longer titles would push the others out of the line. The whole one is the lens's tooltip. */
const longestTitle = 40;

/**
 * The line above the title: sending, discarding, tickets that say nearly the same, and doubts. The editor breaks it nowhere,
 * so of several tickets only the nearest is called by its title, and what may be long stands last.
 */
export function newTicketLenses(checks: NewTicketChecks): vscode.CodeLensProvider {
	return {
		onDidChangeCodeLenses: checks.onDidChange,
		provideCodeLenses({ uri }) {
			const about = newTicketOf(uri);
			if (!about) {
				return [];
			}
			const { doubt, similar } = checks.findings(uri);
			const commands: readonly vscode.Command[] = [
				{ title: `$(send) ${vscode.l10n.t('Submit New Ticket')}`, command: 'forge.tickets.submit', arguments: [uri] },
				{ title: vscode.l10n.t('Discard…'), command: 'forge.tickets.discard', arguments: [uri] },
				...similar.map((ticket, place) => similarLens(ticket, about.connectionKey, place === 0)),
				...(doubt === undefined ? [] : [{ title: `$(warning) ${withoutPictures(doubt)}`, command: '' }]),
			];
			const start = new vscode.Range(0, 0, 0, 0);
			return commands.map((command) => new vscode.CodeLens(start, command));
		},
	};
}

function similarLens(ticket: Ticket, connectionKey: string, isNearest: boolean): vscode.Command {
	const subject: TicketSubject = { kind: 'ticket', connectionKey, ref: refOfTicket(ticket) };
	const whole = visibleLine(ticket.title);
	const title = whole.length > longestTitle ? `${Array.from(whole).slice(0, longestTitle).join('')}…` : whole;
	return {
		title: isNearest ? vscode.l10n.t('Similar: #{0} {1}', ticket.id, withoutPictures(title)) : `#${ticket.id}`,
		tooltip: whole,
		command: 'forge.tickets.open',
		arguments: [subject],
	};
}
