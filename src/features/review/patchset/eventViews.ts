import * as vscode from 'vscode';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { EventView } from '../../../pages/protocol/patchsetProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { isOwnWriter, writerOfRead } from '../../../store/people/sentBy.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { appliedSentences, type AppliedFact } from '../../lists/checks/appliedCommits.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { PatchsetSubject } from '../../lists/subjects/subjects.ts';
import { savedApplied, type AppliedPatchset } from '../../patches/apply/savedApplied.ts';
import { isSamePatchset } from './samePatchset.ts';

/** Maximum rows. Only abuse makes more. */
const mostEvents = 100;

/** Events of a patchset, oldest first. `records`: its clones on this computer. `applied`: outlives them. */
export function eventViews(
	connection: Connection,
	{ versions, mails }: PatchsetReview,
	records: readonly AppliedPatchset[],
	applied: AppliedFact | undefined,
): readonly EventView[] {
	const timed = [
		...versions.map(({ patchset }) => ({
			text: vscode.l10n.t('v{0} sent', patchset.version),
			atMs: patchset.createdMs,
			mailId: undefined,
		})),
		...mails
			.filter((mail) => mail.parentId !== undefined && isOwnWriter(connection, writerOfRead(mail)))
			.map(({ id, createdMs }) => ({ text: vscode.l10n.t('You replied'), atMs: createdMs, mailId: id })),
	];
	return [
		...timed.toSorted((a, b) => a.atMs - b.atMs).slice(-mostEvents),
		...records
			.filter(({ after }) => after === undefined || applied === undefined)
			.map(({ branch, after, folder }) => {
				const place = visibleLine(branch ?? folder);
				const text =
					after === undefined
						? vscode.l10n.t('Begun to apply to {0}', place)
						: vscode.l10n.t('Applied to {0}, commit {1}', place, after.slice(0, 12));
				return { text, atMs: undefined, mailId: undefined };
			}),
		...(applied ? appliedSentences(applied) : []).map((text) => ({ text, atMs: undefined, mailId: undefined })),
	];
}

/** Reads the records of a patchset that this computer applied. */
export function appliedRecords(
	{ connections, appliedOf, clock }: ListsContext,
	{ connectionKey, ref }: PatchsetSubject,
): () => readonly AppliedPatchset[] {
	const applied = savedApplied(connections, appliedOf, clock);
	const isThis = (of: PatchsetSubject): boolean => of.connectionKey === connectionKey && isSamePatchset(of.ref, ref);
	return () => applied.all().filter(({ subject }) => isThis(subject));
}
