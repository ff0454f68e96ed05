import * as vscode from 'vscode';
import { askToResume, resumedParts } from '../../../editor/ask/askToResume.ts';
import type { Connection } from '../../../store/connection.ts';
import type { BulkPart } from '../../../store/shared/writeJournal.ts';
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
	const all = left.flatMap((part) => {
		const { write, id } = part.entry;
		return write.kind === 'patchsetStatus'
			? [{ ...part, id, write, subject: { kind: 'patchset', connectionKey, ref: write.ref } as const }]
			: [];
	});
	const parted = resumedParts(all);
	const { done, rest } = parted;
	const act = parts.statusActs.record(
		done.flatMap(({ write: { before, status }, subject }) =>
			before === undefined || before === status ? [] : [{ subject, before, after: status }],
		),
	);
	const count = countedPatchsets(done.length, all.length);
	const stopped = vscode.l10n.t('The status was set on {0} when the window closed.', count);
	const chosen = await askToResume(stopped, parted, act !== undefined, (some) => countedPatchsets(some, some));
	for (const { id } of all) {
		await journal.close(id);
	}
	if (chosen === 'continue') {
		const items = rest.map(({ subject, write: { status } }) => ({ subject, status, expected: undefined }));
		const result = (patchsets: string): string => vscode.l10n.t('Set the status of {0}.', patchsets);
		await sendStatuses(parts, { result, items, unsent: [], ended: () => undefined }, ending);
	} else if (chosen === 'undo' && act) {
		await undoStatus(parts, { kind: 'act', act }, ending);
	}
}
