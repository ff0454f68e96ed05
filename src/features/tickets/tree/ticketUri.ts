import * as vscode from 'vscode';
import { ticketRefText, type TicketRef } from '../../../forge/port/ticket.ts';

/** Scheme of row addresses. No provider opens them. */
export const ticketScheme = 'forge-ticket';

/** Address for the row's file decoration. */
export function ticketUri(connectionKey: string, ref: TicketRef): vscode.Uri {
	return vscode.Uri.from({ scheme: ticketScheme, authority: connectionKey, path: `/${ticketRefText(ref)}` });
}
