import * as vscode from 'vscode';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import { withCancellation } from '../../../editor/ask/withCancellation.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { referencePlaces, type ReferencePlace } from './referencePlaces.ts';
import { ticketCard } from './ticketCard.ts';
import type { TicketLookups } from './ticketLookups.ts';

/**
 * Links from references to ticket pages. The target is our own command with arguments from a strict pattern: two names
 * and a number. A URI with the editor's scheme would also work, but any web page could open it.
 */
export function referenceLinks(context: TicketsContext): vscode.DocumentLinkProvider {
	return {
		async provideDocumentLinks(document, token) {
			const places = await placesOf(context, document, token);
			return places.map(({ start, end, subject: { kind, connectionKey, ref } }) => {
				const query = JSON.stringify([{ kind, connectionKey, ref } satisfies TicketSubject]);
				const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
				const link = new vscode.DocumentLink(
					range,
					vscode.Uri.from({ scheme: 'command', path: 'forge.tickets.open', query }),
				);
				link.tooltip = vscode.l10n.t('Open ticket {0}', visibleLine(ticketRefText(ref)));
				return link;
			});
		},
	};
}

/** Hover cards for ticket references. */
export function referenceHovers(context: TicketsContext, looks: TicketLookups): vscode.HoverProvider {
	return {
		async provideHover(document, position, token) {
			const at = document.offsetAt(position);
			const places = await placesOf(context, document, token);
			const place = places.find(({ start, end }) => start <= at && at <= end);
			if (!place) {
				return undefined;
			}
			const look = await withCancellation(token, (signal) => looks.look(place.subject, signal));
			return (
				look &&
				new vscode.Hover(
					ticketCard(place.subject.ref, look, context.clock.nowMs()),
					new vscode.Range(document.positionAt(place.start), document.positionAt(place.end)),
				)
			);
		},
	};
}

async function placesOf(
	context: TicketsContext,
	document: vscode.TextDocument,
	token: vscode.CancellationToken,
): Promise<readonly ReferencePlace[]> {
	const located = { text: document.getText(), languageId: document.languageId, uri: folderOfDocument(document) };
	return (await withCancellation(token, (signal) => referencePlaces(context, located, signal))) ?? [];
}

/** A link in a terminal and the ticket that it opens. */
export interface TicketTerminalLink extends vscode.TerminalLink {
	readonly subject: TicketSubject;
}

/** Links in terminals. Lines that begin with `#12` are other programs' numbering. */
export function terminalLinks(context: TicketsContext): vscode.TerminalLinkProvider<TicketTerminalLink> {
	return {
		async provideTerminalLinks({ line, terminal }, token) {
			const started = 'cwd' in terminal.creationOptions ? terminal.creationOptions.cwd : undefined;
			const located = {
				text: line,
				languageId: 'scminput',
				uri:
					terminal.shellIntegration?.cwd ??
					(typeof started === 'string' ? vscode.Uri.file(started) : started) ??
					vscode.workspace.workspaceFolders?.[0]?.uri,
			};
			const places = await withCancellation(token, (signal) => referencePlaces(context, located, signal));
			return (places ?? [])
				.filter(({ start, end }) => start > 0 || !/^#\d+$/.test(line.slice(start, end)))
				.map(({ start, end, subject }) => ({
					startIndex: start,
					length: end - start,
					tooltip: vscode.l10n.t('Open ticket {0}', visibleLine(ticketRefText(subject.ref))),
					subject,
				}));
		},
		async handleTerminalLink({ subject }) {
			await vscode.commands.executeCommand('forge.tickets.open', subject);
		},
	};
}

/** The document's own address, or the repository of a commit message box. */
export function folderOfDocument({ uri, isUntitled }: vscode.TextDocument): vscode.Uri | undefined {
	if (uri.scheme === 'vscode-scm') {
		const root = new URLSearchParams(uri.query).get('rootUri');
		return root === null ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.parse(root, true);
	}
	return isUntitled ? vscode.workspace.workspaceFolders?.[0]?.uri : uri;
}
