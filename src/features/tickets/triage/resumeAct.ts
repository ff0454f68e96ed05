import * as vscode from 'vscode';
import { askToResume, resumedParts } from '../../../editor/ask/askToResume.ts';
import type { TicketRequest } from '../../../forge/port/ticketRequest.ts';
import type { Connection } from '../../../store/connection.ts';
import type { BulkPart } from '../../../store/shared/writeJournal.ts';
import type { BulkItem } from './bulk.ts';
import { carryOut } from './carryOut.ts';
import type { Job, Triage } from './job.ts';
import { countedTickets } from './results.ts';
import type { Act } from './undo.ts';

/** Reports an interrupted bulk action and offers Continue and Undo. Keeps its entries until the user answers. */
export async function resumeAct(
	triage: Triage,
	{ key: connectionKey, journal }: Pick<Connection, 'key' | 'journal'>,
	parts: readonly BulkPart[],
): Promise<void> {
	const all = parts.flatMap((part) => {
		const { write } = part.entry;
		return write.kind === 'ticket'
			? [{ ...part, item: { subject: { kind: 'ticket', connectionKey, ref: write.ref }, wish: write.wish } as const }]
			: [];
	});
	const parted = resumedParts(all);
	const { done, rest } = parted;
	const job = jobOf(all.map(({ item }) => item));
	const act: Act = {
		undoing: job.undoing,
		items: done.flatMap(({ entry, verdict, item }) => {
			const after = verdict?.kind === 'there' ? verdict.after : entry.after;
			return entry.before && after ? [{ ...item, before: entry.before, after }] : [];
		}),
	};
	triage.history.record(act);
	const stopped = job.stopped(countedTickets(done.length, all.length));
	const chosen = await askToResume(stopped, parted, act.items.length > 0, (some) => countedTickets(some, some));
	const [unsent] = chosen === undefined ? rest : [];
	if (unsent?.item.wish.comment !== undefined) {
		// The user dismissed the notice. All tickets share the same comment text.
		const about = { kind: 'comment', connectionKey, ref: unsent.item.subject.ref } as const;
		await triage.parts.drafts.keepBeside(about, { text: unsent.item.wish.comment, atMs: unsent.entry.sentMs });
	}
	for (const { entry } of all) {
		await journal.close(entry.id);
	}
	if (chosen === 'continue') {
		await carryOut(triage, { ...job, items: rest.map(({ item }) => item) }, triage.ending);
	} else if (chosen === 'undo') {
		await triage.undo({ kind: 'act', act }, triage.ending);
	}
}

interface StoppedJob extends Pick<Job, 'heading' | 'result'> {
	readonly undoing: string;
	/** `tickets`: for example "1 of 8 tickets". */
	readonly stopped: (tickets: string) => string;
}

/** Texts for the kind of change. */
function jobOf(items: readonly BulkItem[]): StoppedJob {
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
