import * as vscode from 'vscode';
import { confirmTyped } from '../../../editor/ask/confirmTyped.ts';
import { tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ticketRefText } from '../../../forge/ticket.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { ticketWebLink } from '../subjects/webLink.ts';
import type { Triage } from './job.ts';
import { offerWeb } from './offerWeb.ts';

/** Deletes a ticket after the user typed its whole reference. Offers the web page if the API can't delete. */
export async function deleteTicket({ parts, say }: Triage, subject: TicketSubject, signal: AbortSignal): Promise<void> {
	const { ref } = subject;
	const { writes, instance } = connectionOf(parts.connections, subject);
	const { removeTicket } = writes;
	if (!removeTicket) {
		const text = vscode.l10n.t('On this forge, tickets can only be deleted on the web.');
		return offerWeb(text, `${ticketWebLink(instance, ref)}/delete`);
	}
	const name = visibleLine(ticketRefText(ref));
	await confirmTyped({
		exact: ticketRefText(ref),
		name,
		deletes: vscode.l10n.t("Its description, comments and history are deleted for everyone. This can't be undone."),
		typeToDelete: vscode.l10n.t('Type {0} to delete the ticket', name),
	});
	await withProgress(vscode.l10n.t('Deleting…'), signal, (working) => removeTicket(ref, working));
	say(subject, vscode.l10n.t('This ticket was deleted.'));
	tellBriefly(vscode.l10n.t('Deleted {0}', name));
}
