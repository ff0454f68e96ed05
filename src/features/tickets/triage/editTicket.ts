import * as vscode from 'vscode';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { ticketWebLink } from '../subjects/webLink.ts';
import type { Triage } from './job.ts';
import { offerWeb } from './offerWeb.ts';

/** Opens a ticket's page to edit title and description. Offers the web page if the API can't edit. */
export async function editTicket({ parts, open }: Triage, subject: TicketSubject): Promise<void> {
	const { writes, instance } = connectionOf(parts.connections, subject);
	if (writes.editTicket) {
		return open(subject, 'text');
	}
	const text = vscode.l10n.t('On this forge, tickets can only be edited on the web.');
	await offerWeb(text, `${ticketWebLink(instance, subject.ref)}/edit`);
}
