import * as vscode from 'vscode';
import type { ResumedJob } from '../../../editor/bulk/bulkChanges.ts';
import type { TicketRequest } from '../../../forge/port/ticketRequest.ts';
import type { Connection } from '../../../store/connection.ts';
import type { BulkPart } from '../../../store/shared/writeJournal.ts';
import type { TicketSubject } from '../subjects/subjects.ts';
import type { TicketDone, TicketItem } from './bulk.ts';
import type { Triage } from './triage.ts';

/** Reports an interrupted bulk action and offers Continue and Undo. Keeps its entries until the user answers. */
export async function resumeAct(
	{ parts: { drafts }, bulk }: Triage,
	{ key: connectionKey, journal }: Connection,
	parts: readonly BulkPart[],
	signal: AbortSignal,
): Promise<void> {
	const all = parts.flatMap(({ entry, verdict }) => {
		const { write } = entry;
		if (write.kind !== 'ticket') {
			return [];
		}
		const item = { subject: { kind: 'ticket', connectionKey, ref: write.ref }, wish: write.wish } as const;
		const after = verdict?.kind === 'there' ? verdict.after : entry.after;
		const change = entry.before && after ? { ...item, before: entry.before, after } : undefined;
		return [{ entry, verdict, item, change }];
	});
	const job = jobOf(all.map(({ item }) => item));
	await bulk.resume(journal, all, job, signal, async ([unsent]) => {
		if (unsent?.item.wish.comment !== undefined) {
			// The user dismissed the notice. All tickets share the same comment text.
			const about = { kind: 'comment', connectionKey, ref: unsent.item.subject.ref } as const;
			await drafts.keepBeside(about, { text: unsent.item.wish.comment, atMs: unsent.entry.sentMs });
		}
	});
}

/** Texts for the kind of change. */
function jobOf(items: readonly TicketItem[]): ResumedJob<TicketSubject, TicketRequest, TicketDone> {
	const isOnly = (part: keyof TicketRequest): boolean =>
		items.every(({ wish }) => Object.keys(wish).every((each) => each === part));
	if (isOnly('labels')) {
		return {
			heading: vscode.l10n.t('Changing labels…'),
			undoing: vscode.l10n.t('Undoing label changes…'),
			result: (count) => vscode.l10n.t('Changed labels on {0}.', count),
			stopped: (count) => vscode.l10n.t('Labels were changed on {0} when the window closed.', count),
		};
	}
	if (isOnly('assignees')) {
		return {
			heading: vscode.l10n.t('Changing assignees…'),
			undoing: vscode.l10n.t('Undoing assignee changes…'),
			result: (count) => vscode.l10n.t('Changed assignees on {0}.', count),
			stopped: (count) => vscode.l10n.t('Assignees were changed on {0} when the window closed.', count),
		};
	}
	if (isOnly('comment')) {
		return {
			heading: vscode.l10n.t('Commenting…'),
			undoing: vscode.l10n.t('Undoing changes…'),
			result: (count) => vscode.l10n.t('Commented on {0}.', count),
			stopped: (count) => vscode.l10n.t('A comment was posted on {0} when the window closed.', count),
		};
	}
	return {
		heading: vscode.l10n.t('Changing tickets…'),
		undoing: isOnly('move') ? vscode.l10n.t('Undoing status changes…') : vscode.l10n.t('Undoing changes…'),
		result: (count) => vscode.l10n.t('Changed {0}.', count),
		stopped: (count) =>
			isOnly('move')
				? vscode.l10n.t('The status was changed on {0} when the window closed.', count)
				: vscode.l10n.t('Changes were made on {0} when the window closed.', count),
	};
}
