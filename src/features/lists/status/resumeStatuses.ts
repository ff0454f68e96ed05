import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import type { Connection } from '../../../state/connection.ts';
import type { BulkPart } from '../../../state/shared/writeJournal.ts';
import type { StatusParts } from './statusParts.ts';
import { countedPatchsets } from './statusResults.ts';
import { sendStatuses } from './sendStatuses.ts';
import { undoStatus } from './undoStatus.ts';

/** Reports interrupted status changes and offers Continue and Undo. Keeps their entries until the user answers. */
export async function resumeStatuses(
	parts: StatusParts,
	{ key: connectionKey, journal }: Pick<Connection, 'key' | 'journal'>,
	left: readonly BulkPart[],
	ending: AbortSignal,
): Promise<void> {
	const all = left.flatMap(({ entry, verdict }) => {
		const { write, progress, id } = entry;
		const isDone = progress === 'done' || verdict?.kind === 'there';
		return write.kind === 'patchsetStatus'
			? [{ id, isDone, write, verdict, subject: { kind: 'patchset', connectionKey, ref: write.ref } as const }]
			: [];
	});
	const done = all.filter(({ isDone }) => isDone);
	const unknown = all.filter(({ verdict }) => verdict?.kind === 'unknown');
	const rest = all.filter((part) => !part.isDone && !unknown.includes(part));
	const act = parts.statusActs.record(
		done.flatMap(({ write: { before, status }, subject }) =>
			before === undefined || before === status ? [] : [{ subject, before, after: status }],
		),
	);
	const [goOn, undo] = [vscode.l10n.t('Continue'), vscode.l10n.t('Undo')];
	const text = [
		vscode.l10n.t('The status was set on {0} when the window closed.', countedPatchsets(done.length, all.length)),
		...(unknown.length === 0
			? []
			: [
					vscode.l10n.t(
						'It is not known whether the change arrived on {0}.',
						countedPatchsets(unknown.length, unknown.length),
					),
				]),
	].join(' ');
	const chosen = await notify('warning', text, ...(rest.length > 0 ? [goOn] : []), ...(act ? [undo] : []));
	for (const { id } of all) {
		await journal.close(id);
	}
	if (chosen === goOn) {
		const items = rest.map(({ subject, write: { status } }) => ({ subject, status, expected: undefined }));
		const result = (count: string): string => vscode.l10n.t('Set the status of {0}.', count);
		await sendStatuses(parts, { result, items, unsent: [], ended: () => undefined }, ending);
	} else if (chosen === undo && act) {
		await undoStatus(parts, { kind: 'act', act }, ending);
	}
}
