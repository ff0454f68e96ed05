import * as vscode from 'vscode';
import { choose } from '../../../editor/ask/ask.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText } from '../../../forge/ticket.ts';
import { trackerPath } from '../../../text/forgeAddress.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { ticketWebLink } from '../subjects/webLink.ts';

/** Opens the forge's own page for what the API cannot do: assigning, editing, deleting, making labels. */
export async function editOnWeb(parts: TicketsParts, subject: TicketSubject): Promise<void> {
	const { instance } = connectionOf(parts.connections, subject);
	const ticket = ticketWebLink(instance, subject.ref);
	const labels = `${instance.areas.todo}${trackerPath(subject.ref.tracker)}/labels`;
	const page = await choose(vscode.l10n.t('On the web, {0}', visibleLine(ticketRefText(subject.ref))), [
		{ label: vscode.l10n.t('Assign people'), iconPath: new vscode.ThemeIcon('person-add'), value: ticket },
		{
			label: vscode.l10n.t('Edit title and description'),
			iconPath: new vscode.ThemeIcon('edit'),
			value: `${ticket}/edit`,
		},
		{ label: vscode.l10n.t('Create or change labels'), iconPath: new vscode.ThemeIcon('tag'), value: labels },
		{ label: vscode.l10n.t('Delete the ticket'), iconPath: new vscode.ThemeIcon('trash'), value: `${ticket}/delete` },
	]);
	await vscode.env.openExternal(vscode.Uri.parse(page, true));
}
