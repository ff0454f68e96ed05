import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { confirmForGood, withoutPictures } from '../../../editor/ask/notify.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import type { DraftDocuments } from '../drafts/draftDocuments.ts';
import { newTicketScheme } from '../drafts/draftUri.ts';
import { ticketSubject, trackerSubject, type TicketSubject, type TrackerSubject } from '../subjects/subjects.ts';
import { askTracker } from '../subjects/ticketQuestions.ts';
import type { TicketsParts } from '../parts/ticketsParts.ts';
import { newTicketChecks, newTicketOf, type NewTicketSubject, type NewTicketChecks } from './newTicketChecks.ts';
import { newTicketFromHere, type FromHereParts } from './newTicketFromHere.ts';
import { newTicketSender } from './submitNewTicket.ts';
import { shownTitleHints } from './titleHints.ts';
import { refOfTicket, type Ticket } from '../../../forge/ticket.ts';
import { visibleLine } from '../../../text/visible.ts';

export interface NewTicketParts extends FromHereParts, Pick<TicketsParts, 'problems' | 'clock'> {
	readonly documents: DraftDocuments;
	readonly openTicket: (subject: TicketSubject) => void;
	/** Names a new document: 16 hexadecimal digits that were never used before. */
	readonly newName: () => string;
}

/** New tickets as documents: commands, checks during typing, and the code lens above the title. */
export interface NewTicketFeature extends Disposable {
	readonly commands: CommandTable;
}

/** Composes what belongs to new tickets. */
export function newTicketFeature(parts: NewTicketParts): NewTicketFeature {
	const owned = new Disposables();
	const ending = new AbortController();
	const checks = owned.add(newTicketChecks(parts));
	owned.add(shownTitleHints());
	owned.add(vscode.languages.registerCodeLensProvider({ scheme: newTicketScheme }, newTicketLenses(checks)));
	const sender = newTicketSender({
		...parts,
		faults: (about, text) => checks.faults(about, text),
		looking: ending.signal,
	});

	async function open(tracker: TrackerSubject, text?: string): Promise<void> {
		const about: NewTicketSubject = {
			kind: 'newTicket',
			connectionKey: connectionOf(parts.connections, tracker).key,
			tracker: tracker.ref,
			name: parts.newName(),
		};
		await parts.documents.open(about, text);
	}

	return {
		commands: {
			'forge.tickets.new': async (subject, signal) =>
				open(trackerSubject(subject) ?? trackerOfTicket(subject) ?? (await askTracker(parts.connections, signal))),
			'forge.tickets.newFromHere': async (subject, signal) => {
				const { tracker, text } = await newTicketFromHere(parts, subject, signal);
				await open(tracker, text);
			},
			'forge.tickets.submit': async (subject, signal) => {
				await sender.send(subjectTarget(subject).about, signal);
			},
			'forge.tickets.discard': async (subject) => {
				const { about, uri } = subjectTarget(subject);
				const document = await vscode.workspace.openTextDocument(uri);
				if (document.getText().trim() !== '' && !(await confirmDiscard())) {
					throw cancelled();
				}
				await parts.documents.finish(about);
			},
		},
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}

/** The view passes the focused row, possibly a ticket. */
function trackerOfTicket(subject: unknown): TrackerSubject | undefined {
	const ticket = ticketSubject(subject);
	return ticket && { kind: 'tracker', connectionKey: ticket.connectionKey, ref: ticket.ref.tracker };
}

function confirmDiscard(): Promise<boolean> {
	return confirmForGood(
		vscode.l10n.t('Discard this new ticket?'),
		vscode.l10n.t("Its text was not sent to the forge. This can't be undone."),
		vscode.l10n.t('Discard'),
	);
}

/** The document of the pressed button, otherwise the active one. */
function subjectTarget(subject: unknown): { readonly about: NewTicketSubject; readonly uri: vscode.Uri } {
	const uri = uriOf(subject) ?? vscode.window.activeTextEditor?.document.uri;
	const about = uri && newTicketOf(uri);
	if (!uri || !about) {
		throw cancelled();
	}
	return { about, uri };
}

function uriOf(subject: unknown): vscode.Uri | undefined {
	return isRecord(subject) && subject instanceof vscode.Uri ? subject : undefined;
}

/** Longer titles would push the others out of the line. The whole one is the lens's tooltip. */
const longestTitle = 40;

/**
 * Code lens above the title: send, discard, similar tickets and doubts. It never wraps, so only the most similar ticket
 * shows its title, and long items are last.
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
