import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables, onDispose, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { notify } from '../editor/ask/notify.ts';
import { openAddresses } from '../editor/links/tabAddresses.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { type TicketRef, ticketRefText } from 'sourcehut/port/ticket.ts';
import { watchConnections, type Connection } from '../store/connection.ts';
import { draftKey, type Drafts, type DraftSubject } from '../store/drafts/drafts.ts';
import { isEarlierText, isSameText } from '../store/shared/isSameText.ts';
import type { BulkPart, ForgetDrafts, Verdict } from '../store/shared/writeJournal.ts';
import type { JournalEntry, SentDraft, WriteRecord } from '../store/shared/writeRecord.ts';
import { visibleLine } from '../engine/text/visible.ts';
import type { TicketSubject } from '../features/tickets/subjects/subjects.ts';
import type { TicketsContext } from '../features/tickets/context/ticketsContext.ts';
import { isSaid, partedText } from '../features/tickets/page/pageDrafts.ts';
import type { DraftDocuments } from '../features/tickets/drafts/draftDocuments.ts';
import { draftOfUri } from '../features/tickets/drafts/draftUri.ts';
import { type DocumentSubject } from '../features/tickets/drafts/draftSubject.ts';

/** Reports an interrupted bulk action. Resolves after the user answers. */
export type ResumeAct = (connection: Connection, parts: readonly BulkPart[]) => Promise<void>;

/** Interval at which a window adopts entries of dead windows. */
const everyMs = 60_000;

/**
 * Looks up the writes of dead windows and reports each outcome. Removes the drafts of delivered writes, including those
 * of this window.
 */
export function settledWrites(context: TicketsContext, documents: DraftDocuments, resumeAct: ResumeAct): Disposable {
	const { connections, drafts, problems, clock } = context;
	const owned = new Disposables();
	const ending = new AbortController();
	/** Ids of entries already reported as unknown. */
	const doubted = new Set<string>();
	let timer: Disposable | undefined;
	let isLooking = false;
	owned.add(
		onDispose(() => {
			ending.abort();
			timer?.dispose();
		}),
	);
	owned.add(
		watchConnections(
			connections,
			(connection) => [
				connection.journal.onDelivered(forgetArrived(drafts, documents, connection)),
				connection.journal.onDidFail(({ error, isUnsent }) => {
					problems.log(error);
					const text = isUnsent
						? vscode.l10n.t(
								"Couldn't write down what is being sent. If the window closes before the forge responds, check the forge before you send it again.",
							)
						: vscode.l10n.t("Couldn't write down the outcome of what was sent. It is checked again after a restart.");
					void notify('warning', text);
				}),
			],
			look,
		),
	);

	async function settleAll(): Promise<void> {
		await context.ready();
		for (const connection of connections.all()) {
			// Closes new tickets that the editor restored after the forge received them.
			for (const address of openAddresses()) {
				const about = draftOfUri(address);
				if (about?.kind !== 'newTicket' || about.connectionKey !== connection.key) {
					continue;
				}
				const sent = connection.journal.sent(draftKey(about));
				const text = documents.textOf(about) ?? '';
				if (sent && isEarlierText(text, sent.text ?? '')) {
					await documents.finish(about);
				}
			}
			const entries = connection.journal.adopted();
			// The window ended between both records. The outbox looks for these writes.
			for (const entry of entries.filter(({ id }) => connection.outbox.has(id))) {
				await connection.journal.handle(entry).arrived();
				await connection.journal.close(entry.id);
				connection.journal.reported(entry, false);
			}
			const acts = Map.groupBy(
				entries.filter(({ id }) => !connection.outbox.has(id)),
				({ act }) => act,
			);
			for (const [act, own] of acts) {
				if (act !== undefined) {
					await settleAct(connection, own);
				}
			}
			for (const entry of acts.get(undefined) ?? []) {
				await settleOne(connection, entry, doubted.has(entry.id)).catch(problems.log);
			}
		}
	}

	async function verdictOf({ journal }: Connection, entry: JournalEntry): Promise<Verdict> {
		try {
			return await journal.look(entry, ending.signal);
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			problems.log(error);
			return { kind: 'unknown' };
		}
	}

	async function settleAct(connection: Connection, entries: readonly JournalEntry[]): Promise<void> {
		const { journal } = connection;
		const looked: BulkPart[] = [];
		for (const entry of entries) {
			const verdict = entry.progress === 'inDoubt' ? await verdictOf(connection, entry) : undefined;
			if (verdict?.kind === 'there') {
				await journal.handle(entry).arrived(verdict);
			}
			looked.push({ entry, verdict });
		}
		entries.forEach((entry) => journal.reported(entry, false));
		// Not awaited: the notice may stay open.
		void resumeAct(connection, looked).catch(shown);
	}

	async function settleOne(connection: Connection, entry: JournalEntry, isTold: boolean): Promise<void> {
		const { journal } = connection;
		const write = journal.handle(entry);
		const verdict = await verdictOf(connection, entry);
		let missing = entry;
		let isBeside = false;
		switch (verdict.kind) {
			case 'there':
				await write.arrived();
				journal.reported(entry, false);
				break;
			case 'notThere': {
				if (entry.write.kind === 'ticket' && verdict.arrived?.kind === 'ticket') {
					const arrived = verdict.arrived.wish;
					const wish = Object.fromEntries(Object.entries(entry.write.wish).filter(([part]) => !(part in arrived)));
					missing = { ...entry, write: { ...entry.write, wish } };
				}
				// Before the entry goes: only the entry has the text of a tool or of a bulk comment.
				const typed = subjectOfWrite(connection.key, missing.write);
				isBeside = typed ? await drafts.keepBeside(typed.about, { text: typed.text, atMs: missing.sentMs }) : false;
				await (verdict.arrived ? write.arrived({ write: verdict.arrived }) : write.failed());
				// True if its page or document offers to send the text again.
				journal.reported(missing, entry.write.kind === 'ticket' || entry.write.kind === 'newTicket');
				break;
			}
			case 'unknown':
				if (isTold) {
					return;
				}
				doubted.add(entry.id);
		}
		void tell(connection, missing, verdict, isBeside).catch(shown);
	}

	async function tell(connection: Connection, entry: JournalEntry, verdict: Verdict, isBeside: boolean): Promise<void> {
		const open = vscode.l10n.t('Open');
		const again = vscode.l10n.t('Check Again');
		const show = vscode.l10n.t('Show Drafts');
		const actions = [
			...(verdict.kind === 'unknown' ? [again] : []),
			...(isBeside ? [show] : entry.write.kind === 'newTicket' || ticketOf(entry.write) ? [open] : []),
		];
		const said = `${interruptedText(entry.write)} ${verdictText(entry.write, verdict, isBeside)}`;
		const severity = verdict.kind === 'there' ? 'information' : 'warning';
		const chosen = await notify(severity, said, ...actions);
		if (chosen === show) {
			await vscode.commands.executeCommand('forge.drafts.show');
		} else if (chosen === again) {
			await settleOne(connection, entry, false);
		} else if (chosen === open) {
			const ref = (verdict.kind === 'there' ? verdict.made : undefined) ?? ticketOf(entry.write);
			const about = subjectOfWrite(connection.key, entry.write)?.about;
			if (ref) {
				const subject: TicketSubject = { kind: 'ticket', connectionKey: connection.key, ref };
				await vscode.commands.executeCommand('forge.tickets.open', subject);
			} else if (about?.kind === 'newTicket') {
				await documents.open(about);
			}
		}
	}

	function shown(error: unknown): void {
		if (!isAbort(error)) {
			void problems.show(error);
		}
	}

	/** Never runs twice at once. Repeats while any account has a connection. */
	function look(): void {
		if (isLooking) {
			return;
		}
		isLooking = true;
		timer?.dispose();
		settleAll()
			.catch(problems.log)
			.finally(() => {
				isLooking = false;
				timer = ending.signal.aborted || connections.all().length === 0 ? undefined : clock.after(everyMs, look);
			});
	}

	look();
	return owned;
}

function ticketOf(write: WriteRecord): TicketRef | undefined {
	return write.kind === 'ticket' || write.kind === 'editComment' || write.kind === 'editTicket' ? write.ref : undefined;
}

/** The typed text of a write, as a draft. */
function subjectOfWrite(
	connectionKey: string,
	write: WriteRecord,
): { readonly about: DraftSubject; readonly text: string } | undefined {
	if (write.kind === 'ticket') {
		const { comment } = write.wish;
		return comment === undefined
			? undefined
			: { about: { kind: 'comment', connectionKey, ref: write.ref }, text: comment };
	}
	if (write.kind === 'editComment') {
		const { ref, eventId, text } = write;
		return { about: { kind: 'editedEntry', connectionKey, ref, eventId }, text };
	}
	if (write.kind === 'newTicket') {
		const { tracker, draft } = write;
		return draft && { about: { kind: 'newTicket', connectionKey, tracker, name: draft.name }, text: draft.text };
	}
	return undefined;
}

/** `isBeside`: the text of the write became a second draft. */
function verdictText(write: WriteRecord, verdict: Verdict, isBeside: boolean): string {
	const isTyped = subjectOfWrite('', write) !== undefined;
	switch (verdict.kind) {
		case 'there':
			return verdict.made
				? vscode.l10n.t('Checked: it is {0}.', visibleLine(ticketRefText(verdict.made)))
				: vscode.l10n.t('Checked: it was done.');
		case 'notThere':
			if (isBeside) {
				return vscode.l10n.t('Checked: it is not there. Its text is kept beside your other draft.');
			}
			return isTyped
				? vscode.l10n.t('Checked: it is not there. Your text is kept, and you can send it again.')
				: vscode.l10n.t('Checked: it was not done. You can try again.');
		case 'unknown':
			return vscode.l10n.t('It may have arrived. Check before you send it again.');
	}
}

function interruptedText(write: WriteRecord): string {
	switch (write.kind) {
		case 'ticket':
			return write.wish.comment === undefined
				? changedText(ticketRefText(write.ref))
				: vscode.l10n.t(
						'Your comment on {0} was being sent when the window closed.',
						visibleLine(ticketRefText(write.ref)),
					);
		case 'newTicket':
			return vscode.l10n.t(
				'Your new ticket in {0} was being submitted when the window closed.',
				visibleLine(refText(write.tracker)),
			);
		case 'editComment':
			return vscode.l10n.t(
				'Your edited comment on {0} was being saved when the window closed.',
				visibleLine(ticketRefText(write.ref)),
			);
		case 'editTicket':
			return changedText(ticketRefText(write.ref));
		case 'removeTicket':
			return deletedText(ticketRefText(write.ref));
		case 'ticketMails': {
			const { to } = write;
			return mailsText(to.kind === 'ticket' ? ticketRefText(to.ref) : refText(to.ref));
		}
		case 'listMails':
			return mailsText(refText(write.ref));
		case 'makeLabel':
		case 'changeLabel':
		case 'removeLabel':
			return vscode.l10n.t(
				'The label {0} of {1} was being changed when the window closed.',
				visibleLine(write.name),
				visibleLine(refText(write.ref)),
			);
		case 'makeTracker':
		case 'makeList':
		case 'makeRepository':
			return vscode.l10n.t('{0} was being created when the window closed.', visibleLine(write.name));
		case 'removeTracker':
		case 'removeList':
		case 'removeRepository':
			return deletedText(refText(write.ref));
		case 'describeTracker':
		case 'describeList':
		case 'changeRepository':
		case 'defaultBranch':
			return changedText(refText(write.ref));
		case 'patchsetStatus':
			return vscode.l10n.t(
				'The status of patchset {0} in {1} was being set when the window closed.',
				write.ref.id,
				visibleLine(refText(write.ref.list)),
			);
	}
}

function changedText(name: string): string {
	return vscode.l10n.t('{0} was being changed when the window closed.', visibleLine(name));
}

function deletedText(name: string): string {
	return vscode.l10n.t('{0} was being deleted when the window closed.', visibleLine(name));
}

function mailsText(name: string): string {
	return vscode.l10n.t('The subscription to {0} was being changed when the window closed.', visibleLine(name));
}

/** Removes the draft of a delivered write, unless the user typed more since. */
export function forgetArrived(drafts: Drafts, documents: DraftDocuments, connection: Connection): ForgetDrafts {
	const { key: connectionKey } = connection;

	async function forget(about: DraftSubject, isSent: (text: string) => boolean): Promise<readonly SentDraft[]> {
		const draft = drafts.draft(about);
		if (!draft || !isSent(draft.text)) {
			return [];
		}
		await drafts.keep(about, { ...draft, text: '' });
		return [{ key: draftKey(about), atMs: draft.atMs }];
	}

	/** Remembers the text of a document, because the editor may restore its own copy after a crash. */
	async function finish(about: DocumentSubject, sent: string): Promise<readonly SentDraft[]> {
		const text = documents.textOf(about);
		if (text !== undefined && !isEarlierText(text, sent)) {
			return [];
		}
		const atMs = drafts.draft(about)?.atMs ?? 0;
		await documents.finish(about);
		return text === undefined ? [] : [{ key: draftKey(about), atMs, text: sent }];
	}

	return async (write) => {
		if (write.kind === 'ticket') {
			const { comment } = write.wish;
			return comment === undefined
				? []
				: forget({ kind: 'comment', connectionKey, ref: write.ref }, (text) => text === comment);
		}
		if (write.kind === 'editComment') {
			const { ref, eventId, commentId } = write;
			const isSent = (text: string): boolean => isSameText(text, write.text);
			return [
				...(await forget({ kind: 'editedEntry', connectionKey, ref, eventId }, isSent)),
				...(commentId === undefined
					? []
					: await forget({ kind: 'editedComment', connectionKey, ref, commentId }, isSent)),
			];
		}
		if (write.kind === 'editTicket') {
			const now = connection.tickets.knownTicket(write.ref);
			return forget({ kind: 'ticketText', connectionKey, ref: write.ref }, (text) => isSaid(partedText(text), now));
		}
		if (write.kind === 'newTicket') {
			const { tracker, draft } = write;
			return draft ? finish({ kind: 'newTicket', connectionKey, tracker, name: draft.name }, draft.text) : [];
		}
		if (write.kind === 'describeTracker') {
			return finish({ kind: 'description', connectionKey, tracker: write.ref }, write.description);
		}
		if (write.kind === 'describeList') {
			return finish({ kind: 'listDescription', connectionKey, ref: write.ref }, write.description);
		}
		return write.kind === 'changeRepository' && write.changes.description !== undefined
			? finish({ kind: 'repositoryDescription', connectionKey, ref: write.ref }, write.changes.description)
			: [];
	};
}
