import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { ticketRefText } from 'sourcehut/port/ticket.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { connectionOf, isRecord } from '../../../editor/commands/subjects.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { watchConnections, type Connection } from '../../../store/connection.ts';
import type { HeldMails } from '../../../store/outbox/mailOutbox.ts';
import type { HeldWrite, QueuedItem } from '../../../store/outbox/outbox.ts';
import type { QueueResult } from '../../../store/outbox/sending/outboxSender.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import type { DraftDocuments } from '../drafts/draftDocuments.ts';
import { newTicketText } from '../newTicket/newTicketText.ts';
import { stoppedText } from '../subjects/queuedWords.ts';
import { queuedSubject, type QueuedSubject, type TicketSubject, type TrackerSubject } from '../subjects/subjects.ts';
import type { OutboxFile } from '../../../store/outbox/sharedQueue.ts';
import { outboxTree, type MailsInOutbox } from './outboxTree.ts';

/** The outbox: its view, commands and notices. `left`: see `outboxTree`. */
export function outboxFeature(
	context: TicketsContext,
	documents: DraftDocuments,
	mails: MailsInOutbox,
	left: () => readonly OutboxFile[],
) {
	const { connections, drafts, problems, clock } = context;
	const owned = new Disposables();
	const view = owned.add(outboxTree(context, mails.rows, left));

	/** The item of a row or of a page's button. Throws an abort if it has just left the queue. */
	function target(subject: unknown): { readonly connection: Connection; readonly item: QueuedItem } {
		const read = queuedSubject(subject);
		const connection = read && connectionOf(connections, read);
		const item = connection?.outbox.items().find(({ id }) => id === read?.id);
		if (!connection || !item) {
			tellBriefly(vscode.l10n.t('This change has left the outbox.'));
			throw cancelled();
		}
		return { connection, item };
	}

	/** The sender or another window may use the item at this moment. */
	function held(subject: unknown): { readonly connection: Connection; readonly hold: HeldWrite } {
		const { connection, item } = target(subject);
		const hold = connection.outbox.hold(item.id);
		if (!hold) {
			tellBriefly(vscode.l10n.t('This change is being sent. Try again in a moment.'));
			throw cancelled();
		}
		return { connection, hold };
	}

	/** Only files of rows: any extension may run the commands. */
	function fileOf(subject: unknown): vscode.Uri {
		const wanted = isRecord(subject) ? subject['path'] : undefined;
		const file = view.files().find(({ path }) => path === wanted);
		if (!file) {
			throw cancelled();
		}
		return vscode.Uri.file(file.path);
	}

	function sendNow(connection: Connection, signal: AbortSignal): Promise<void> {
		return withProgress(vscode.l10n.t('Sending the outbox…'), signal, async (working) => {
			// The forge may be away while the mail server is not.
			const ends = await Promise.allSettled([
				connection.outboxSender.sendNow(working),
				mails.sendNow(connection, working),
			]);
			for (const end of ends) {
				if (end.status === 'rejected') {
					throw end.reason;
				}
			}
		});
	}

	function heldMails(given: NonNullable<ReturnType<MailsInOutbox['target']>>): HeldMails {
		const hold = given.connection.mailOutbox.hold(given.item.id);
		if (!hold) {
			tellBriefly(vscode.l10n.t('This is being sent already.'));
			throw cancelled();
		}
		return hold;
	}

	/** Asks first if the forge may have the item already. */
	async function heldToEdit(subject: unknown): Promise<ReturnType<typeof held>> {
		const isSent = target(subject).item.progress.kind === 'sent';
		if (isSent && !(await confirmForGood(vscode.l10n.t('Edit this change?'), lostResponse(), vscode.l10n.t('Edit')))) {
			throw cancelled();
		}
		const taken = held(subject);
		if (taken.hold.item().progress.kind === 'sent' && !isSent) {
			// The sender was faster than this command.
			taken.hold.release();
			throw cancelled();
		}
		return taken;
	}

	/** Moves the text of an item into a draft. The item stays on disk, and unsent, until the draft is there too. */
	async function edit(subject: unknown): Promise<void> {
		const ofMails = mails.target(subject);
		if (ofMails) {
			heldMails(ofMails).remove();
			return mails.open(ofMails.connection, ofMails.item);
		}
		const { connection, hold } = await heldToEdit(subject);
		const { write } = hold.item();
		if (write.kind === 'ticket' && write.wish.comment === undefined) {
			hold.release();
			throw cancelled();
		}
		try {
			await hold.change({ progress: { kind: 'edited' } });
			if (write.kind === 'newTicket') {
				const name = write.draft?.name ?? context.newName();
				const text = write.draft?.text ?? newTicketText(write.ticket);
				const about = { kind: 'newTicket', connectionKey: connection.key, tracker: write.tracker, name } as const;
				await documents.open(about, text);
			} else {
				const about = { kind: 'comment', connectionKey: connection.key, ref: write.ref } as const;
				const isBeside = await drafts.keepBeside(about, { text: write.wish.comment ?? '', atMs: clock.nowMs() });
				if (isBeside) {
					void notify('information', vscode.l10n.t('The ticket has another draft. Both are in "Show Drafts…".'));
				}
			}
		} catch (error) {
			hold.release();
			throw error;
		}
		hold.remove();
		if (write.kind === 'ticket') {
			if (write.wish.move || write.wish.labels || write.wish.assignees) {
				tellBriefly(vscode.l10n.t('Its other changes were withdrawn. Choose them again when you send.'));
			}
			const ticket: TicketSubject = { kind: 'ticket', connectionKey: connection.key, ref: write.ref };
			await vscode.commands.executeCommand('forge.tickets.comment', ticket);
		}
	}

	async function withdraw(subjects: readonly unknown[]): Promise<void> {
		const ofMails = subjects.flatMap((each) => mails.target(each) ?? []);
		const changes = subjects.filter((each) => mails.target(each) === undefined);
		const items = changes.map((each) => target(each).item);
		const isSent = items.some(({ progress }) => progress.kind === 'sent');
		const isMeant = await confirmForGood(
			subjects.length === 1
				? vscode.l10n.t('Withdraw this from the outbox?')
				: vscode.l10n.t('Withdraw {0} changes from the outbox?', subjects.length),
			[
				...(items.length === 0
					? []
					: [isSent ? lostResponse() : vscode.l10n.t("It was not sent, and its text is lost. This can't be undone.")]),
				...(ofMails.length === 0 ? [] : [vscode.l10n.t('The drafts of messages are kept.')]),
			].join('\n'),
			vscode.l10n.t('Withdraw'),
		);
		if (!isMeant) {
			throw cancelled();
		}
		changes.forEach((each) => held(each).hold.remove());
		ofMails.forEach((each) => heldMails(each).remove());
	}

	/** By the user's decision: a conflict counts as seen, and a refusal may have lost its reason. */
	async function sendAnyway(subject: unknown, signal: AbortSignal): Promise<void> {
		const ofMails = mails.target(subject);
		if (ofMails) {
			return mails.send(ofMails.connection, ofMails.item);
		}
		const { connection, hold } = held(subject);
		const { progress } = hold.item();
		try {
			// A request that may have arrived keeps its mark: the sender looks for it first.
			if (progress.kind !== 'sent') {
				await hold.change({
					progress: { kind: 'waiting' },
					...(progress.kind === 'conflict' && progress.now ? { basis: progress.now } : {}),
				});
			}
		} finally {
			hold.release();
		}
		await sendNow(connection, signal);
	}

	const commands: CommandTable = {
		'forge.outbox.open': async (subject) => {
			const ofMails = mails.target(subject);
			if (ofMails) {
				return mails.open(ofMails.connection, ofMails.item);
			}
			const { connection, item } = target(subject);
			const { write } = item;
			const connectionKey = connection.key;
			const about: TicketSubject | TrackerSubject =
				write.kind === 'ticket'
					? { kind: 'ticket', connectionKey, ref: write.ref }
					: { kind: 'tracker', connectionKey, ref: write.tracker };
			await vscode.commands.executeCommand(
				about.kind === 'ticket' ? 'forge.tickets.open' : 'forge.trackers.show',
				about,
			);
		},
		'forge.outbox.sendNow': async (_, signal) => {
			const isUsed = ({ outbox, mailOutbox }: Connection): boolean =>
				outbox.items().length + mailOutbox.items().length > 0;
			for (const connection of connections.all().filter(isUsed)) {
				await sendNow(connection, signal);
			}
		},
		'forge.outbox.edit': (subject) => edit(subject),
		'forge.outbox.withdraw': (subject, _, selected) => withdraw(selected.length > 0 ? selected : [subject]),
		'forge.outbox.sendAnyway': sendAnyway,
		'forge.outbox.reveal': async (subject) => {
			await vscode.commands.executeCommand('revealFileInOS', fileOf(subject));
		},
		'forge.outbox.remove': async (subject) => {
			const file = fileOf(subject);
			const isMeant = await confirmForGood(
				vscode.l10n.t('Remove this file from the outbox?'),
				vscode.l10n.t("It was not sent, and its text is lost. This can't be undone."),
				vscode.l10n.t('Remove'),
			);
			if (isMeant) {
				await vscode.workspace.fs.delete(file, { recursive: true });
				view.draw();
			}
		},
	};

	function shown(error: unknown): void {
		if (!isAbort(error)) {
			void problems.show(error);
		}
	}

	/** Not awaited: the notice may stay open for hours. */
	async function tell(connection: Connection, { kind, item, ...end }: QueueResult): Promise<void> {
		const { write } = item;
		if (kind === 'sent') {
			const made = 'made' in end ? end.made : undefined;
			const ref = made ?? (write.kind === 'ticket' ? write.ref : undefined);
			const place = visibleLine(ref ? ticketRefText(ref) : '');
			return tellBriefly(vscode.l10n.t('Sent from the outbox to {0}', place));
		}
		const subject: QueuedSubject = { kind: 'queued', connectionKey: connection.key, id: item.id };
		const place = visibleLine(write.kind === 'ticket' ? ticketRefText(write.ref) : refText(write.tracker));
		const [anyway, open] = [vscode.l10n.t('Send Anyway'), vscode.l10n.t('Open Ticket')];
		const chosen = await notify('warning', stoppedText(item, place), anyway, open);
		if (chosen !== undefined) {
			const command = chosen === anyway ? 'forge.outbox.sendAnyway' : 'forge.outbox.open';
			await vscode.commands.executeCommand(command, subject);
		}
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [connection.outboxSender.onDidEnd((end) => void tell(connection, end).catch(shown))],
			() => undefined,
		),
	);
	return { tree: view.tree, commands, dispose: () => owned.dispose() };
}

function lostResponse(): string {
	return vscode.l10n.t('The response of the forge was lost, so it may have arrived already. Check the ticket.');
}
