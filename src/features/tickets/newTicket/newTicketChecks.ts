import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Ticket } from 'sourcehut/port/ticket.ts';
import { ticketLimits } from 'sourcehut/port/ticketLimits.ts';
import type { Connections } from '../../../store/connection.ts';
import { similarTicketsResting } from '../../../engine/search/similarTickets.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { draftOfUri, openDraft } from '../drafts/draftUri.ts';
import { newTicketScheme, type DocumentSubject } from '../drafts/draftSubject.ts';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { isOpen } from '../subjects/ticketTarget.ts';
import { readTicket, ticketFaults, type ReadTicket, type Span, type TicketFault } from './newTicketText.ts';
import type { Tracker } from 'sourcehut/port/tracker.ts';

/** Pause in typing before a check. */
const pauseMs = 250;

/** Maximum number of similar tickets. */
const mostSimilar = 3;

/** Results of checking a document. */
export interface Findings {
	/** Reason for a possible refusal, independent of the text. */
	readonly doubt: string | undefined;
	/** Similar open tickets. */
	readonly similar: readonly Ticket[];
}

interface Watched {
	waiting: Disposable | undefined;
	looking: AbortController;
	findings: Findings;
	/** True after the first attempt to send: before that, an empty title is no fault. */
	isStrict: boolean;
}

const nothingFound: Findings = { doubt: undefined, similar: [] };

/** Checks new tickets during typing against the forge's rules. */
export type NewTicketChecks = ReturnType<typeof newTicketChecks>;

/** Follows all documents of new tickets from now on. */
export function newTicketChecks(connections: Connections, clock: Clock, problems: Problems) {
	const owned = new Disposables();
	const diagnostics = owned.add(vscode.languages.createDiagnosticCollection('forge'));
	const changed = owned.add(new vscode.EventEmitter<void>());
	const watched = new Map<string, Watched>();

	function opened(document: vscode.TextDocument): void {
		if (isNewTicket(document) && !watched.has(document.uri.toString())) {
			watched.set(document.uri.toString(), {
				waiting: undefined,
				looking: new AbortController(),
				findings: nothingFound,
				isStrict: false,
			});
			soon(document);
			askPermission(document).catch(problems.log);
		}
	}

	function soon(document: vscode.TextDocument): void {
		const known = watched.get(document.uri.toString());
		if (known) {
			known.waiting?.dispose();
			known.waiting = clock.after(pauseMs, () => {
				known.looking.abort();
				known.looking = new AbortController();
				mark(document, known);
				lookForSimilar(document, known).catch(problems.log);
			});
		}
	}

	async function lookForSimilar(document: vscode.TextDocument, known: Watched): Promise<void> {
		const about = newTicketOf(document.uri);
		const connection = about && connections.byKey(about.connectionKey);
		if (!about || !connection) {
			return;
		}
		const { title } = readTicket(document.getText());
		const tickets = connection.index.tickets(about.tracker).filter(({ ticket }) => isOpen(ticket));
		const wanted = { title, limit: mostSimilar };
		const similar = await similarTicketsResting(wanted, tickets, resting(clock), known.looking.signal);
		found(document, known, { ...known.findings, similar: similar.map(({ ticket }) => ticket) });
	}

	async function askPermission(document: vscode.TextDocument): Promise<void> {
		const known = watched.get(document.uri.toString());
		const about = newTicketOf(document.uri);
		const connection = about && connections.byKey(about.connectionKey);
		if (known && about && connection) {
			const tracker = await connection.tickets.tracker(about.tracker, new AbortController().signal);
			found(document, known, { ...known.findings, doubt: submitDoubt(tracker, connection.me) });
		}
	}

	function found(document: vscode.TextDocument, known: Watched, findings: Findings): void {
		known.findings = findings;
		mark(document, known);
		changed.fire();
	}

	function mark(document: vscode.TextDocument, { findings, isStrict }: Watched): void {
		if (document.isClosed) {
			return;
		}
		const ticket = readTicket(document.getText());
		const faults = ticketFaults(ticket).filter(({ kind }) => isStrict || kind !== 'titleMissing');
		const title = rangeOf(document, ticket.titleSpan);
		const names = findings.similar.map(({ id, title }) => `#${id} ${visibleLine(title)}`);
		diagnostics.set(document.uri, [
			...faults.map((fault) => new vscode.Diagnostic(rangeOfFault(document, ticket, fault), faultText(fault))),
			...(findings.doubt === undefined ? [] : [said(title, findings.doubt, vscode.DiagnosticSeverity.Warning)]),
			...(findings.similar.length === 0
				? []
				: [
						said(
							title,
							vscode.l10n.t('Open tickets with a similar title: {0}', names.join(', ')),
							vscode.DiagnosticSeverity.Hint,
						),
					]),
		]);
	}

	owned.add(vscode.workspace.onDidOpenTextDocument(opened));
	owned.add(
		vscode.workspace.onDidCloseTextDocument((document) => {
			const known = watched.get(document.uri.toString());
			known?.waiting?.dispose();
			known?.looking.abort();
			watched.delete(document.uri.toString());
			diagnostics.delete(document.uri);
		}),
	);
	owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => soon(document)));
	// After a restart, documents open before the account connects.
	owned.add(
		connections.onDidChange(() => {
			for (const document of vscode.workspace.textDocuments.filter(isNewTicket)) {
				soon(document);
				askPermission(document).catch(problems.log);
			}
		}),
	);
	vscode.workspace.textDocuments.forEach(opened);

	return {
		/** Needs no request. */
		findings: (uri: vscode.Uri) => watched.get(uri.toString())?.findings ?? nothingFound,
		/** Some document's findings changed. */
		onDidChange: changed.event,
		/** Problems that prevent sending; marks them at once in the open document. */
		faults(about: NewTicketSubject, text: string) {
			const document = openDraft(about);
			const known = document && watched.get(document.uri.toString());
			if (known && document) {
				known.isStrict = true;
				mark(document, known);
			}
			return ticketFaults(readTicket(text));
		},
		dispose() {
			watched.forEach(({ waiting, looking }) => {
				waiting?.dispose();
				looking.abort();
			});
			owned.dispose();
		},
	};
}

/** True for a document of a new ticket. */
function isNewTicket({ uri }: vscode.TextDocument): boolean {
	return uri.scheme === newTicketScheme && draftOfUri(uri) !== undefined;
}

function said(range: vscode.Range, text: string, severity: vscode.DiagnosticSeverity): vscode.Diagnostic {
	const diagnostic = new vscode.Diagnostic(range, text, severity);
	diagnostic.source = 'Forge';
	return diagnostic;
}

function rangeOf(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
	return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Marks excess text from its first character, and missing text at its place. */
function rangeOfFault(document: vscode.TextDocument, ticket: ReadTicket, fault: TicketFault): vscode.Range {
	switch (fault.kind) {
		case 'titleMissing':
		case 'titleTooShort':
			return document.lineAt(0).range;
		case 'titleTooLong':
			return rangeOf(document, { start: ticket.titleSpan.end - fault.over, end: ticket.titleSpan.end });
		case 'descriptionTooLong':
			return rangeOf(document, { start: ticket.descriptionSpan.end - fault.over, end: ticket.descriptionSpan.end });
	}
}

export type NewTicketSubject = Extract<DocumentSubject, { readonly kind: 'newTicket' }>;

/** Tracker and id of a new-ticket document; `undefined` for other documents. */
export function newTicketOf(uri: vscode.Uri): NewTicketSubject | undefined {
	const about = draftOfUri(uri);
	return about?.kind === 'newTicket' ? about : undefined;
}

/**
 * Reason for a possible refusal; `undefined` if none is known. Most forges return only general permissions, not grants
 * to single accounts, so this is a doubt and no prohibition.
 */
export function submitDoubt(tracker: Tracker, me: string): string | undefined {
	const owner = tracker.owner.canonicalName;
	const told = tracker.defaultPermissions?.mine ?? tracker.defaultPermissions?.user;
	if (owner === me || told === undefined || told.includes('submit')) {
		return undefined;
	}
	return vscode.l10n.t(
		'Only some people can submit tickets to this tracker. If you are not one of them, ask {0} for permission.',
		visibleLine(owner),
	);
}

/** A problem in a ticket draft, as a sentence with the next step. */
export function faultText(fault: TicketFault): string {
	const number = new Intl.NumberFormat(vscode.env.language);
	switch (fault.kind) {
		case 'titleMissing':
			return vscode.l10n.t('The first line is the title. Write at least {0} characters.', ticketLimits.shortestTitle);
		case 'titleTooShort':
			return vscode.l10n.t('The title is too short: write at least {0} characters.', ticketLimits.shortestTitle);
		case 'titleTooLong':
			return fault.over === 1
				? vscode.l10n.t('The title is 1 character too long: it can have {0}.', number.format(ticketLimits.longestTitle))
				: vscode.l10n.t(
						'The title is {0} characters too long: it can have {1}.',
						number.format(fault.over),
						number.format(ticketLimits.longestTitle),
					);
		case 'descriptionTooLong':
			return fault.over === 1
				? vscode.l10n.t(
						'The description is 1 character too long: it can have {0}.',
						number.format(ticketLimits.longestDescription),
					)
				: vscode.l10n.t(
						'The description is {0} characters too long: it can have {1}.',
						number.format(fault.over),
						number.format(ticketLimits.longestDescription),
					);
	}
}

/** Shows placeholders in empty lines of every new ticket. They are decorations and never part of the text. */
export function shownTitleHints(): Disposable {
	const owned = new Disposables();
	const type = owned.add(
		vscode.window.createTextEditorDecorationType({
			after: { color: new vscode.ThemeColor('input.placeholderForeground') },
		}),
	);

	function show(editor: vscode.TextEditor): void {
		const { document } = editor;
		if (document.uri.scheme !== newTicketScheme) {
			return;
		}
		// Only the beginning matters, unless the whole document is blank.
		const count = Math.min(document.lineCount, 50);
		const lines = Array.from({ length: count }, (_, line) => document.lineAt(line).text);
		const [title = '', ...rest] = lines;
		const isBlank = (line: string): boolean => line.trim() === '';
		const hint = (line: number, contentText: string): vscode.DecorationOptions => ({
			range: new vscode.Range(line, 0, line, 0),
			renderOptions: { after: { contentText } },
		});
		editor.setDecorations(type, [
			...(isBlank(title) ? [hint(0, vscode.l10n.t('Title of the ticket'))] : []),
			...(lines.length > 2 && rest.every(isBlank)
				? [hint(2, vscode.l10n.t('Description in Markdown (optional)'))]
				: []),
		]);
	}

	owned.add(vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(show)));
	owned.add(
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (document.uri.scheme === newTicketScheme) {
				vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach(show);
			}
		}),
	);
	vscode.window.visibleTextEditors.forEach(show);
	return owned;
}
