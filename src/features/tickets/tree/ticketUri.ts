import * as vscode from 'vscode';
import { ticketRefText, type TicketRef } from '../../../forge/ticket.ts';

/** What the addresses of rows begin with; nothing can be opened under it. */
export const ticketScheme = 'forge-ticket';

/** The address by which the editor asks for a row's decoration. */
export function ticketUri(connectionKey: string, ref: TicketRef): vscode.Uri {
	return vscode.Uri.from({ scheme: ticketScheme, authority: connectionKey, path: `/${ticketRefText(ref)}` });
}
