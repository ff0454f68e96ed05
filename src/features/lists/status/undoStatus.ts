import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask.ts';
import { confirm, namesText, tellBriefly } from '../../../editor/notify.ts';
import { withProgress } from '../../../editor/progress.ts';
import { connectionOf } from '../../../editor/subjects.ts';
import type { Patchset } from '../../../forge/list.ts';
import { visibleLine } from '../../../text/visible.ts';
import { readableOnes } from '../readableOnes.ts';
import type { PatchsetSubject } from '../subjects.ts';
import { statusLook } from '../words.ts';
import { sendStatuses, whichText, type StatusParts } from './sendStatuses.ts';
import { isSamePatchset, type StatusAct } from './statusActs.ts';
import type { StatusItem, StatusResult } from './statusWrites.ts';

/** What to take back: what was set at one time, or the newest about the patchset in front, else the newest at all. */
export type StatusUndo =
	| { readonly kind: 'act'; readonly act: StatusAct }
	| { readonly kind: 'newest'; readonly inFront: PatchsetSubject | undefined };

/**
 * Gives patchsets the status back that they had before this window set another. Others see it at once, so what is not in
 * front is named and asked for first, and what somebody has changed since is left as it is.
 */
export async function undoStatus(parts: StatusParts, what: StatusUndo, signal: AbortSignal): Promise<void> {
	const act = what.kind === 'act' ? parts.statusActs.take(what.act) : parts.statusActs.takeNewest(what.inFront);
	if (!act) {
		return tellBriefly(
			what.kind === 'act'
				? vscode.l10n.t('This was undone already.')
				: vscode.l10n.t('There is nothing to undo in this window.'),
		);
	}
	const inFront = what.kind === 'newest' ? what.inFront : undefined;
	const jobs = await planned(parts, { act, inFront }, signal).catch((error: unknown) => {
		// Nothing was undone, so it can still be undone later.
		parts.statusActs.record(act);
		throw error;
	});
	if (jobs.length === 0) {
		return tellBriefly(vscode.l10n.t('Nothing was undone: the status was changed by somebody since.'));
	}
	const items = jobs.map(({ subject, status }) => ({ subject, status }));
	const ended = (results: readonly StatusResult[]): undefined => {
		const left = results.filter(({ outcome }) => outcome.kind !== 'done');
		parts.statusActs.record(act.filter(({ subject }) => left.some((each) => isSamePatchset(each.subject, subject))));
	};
	await sendStatuses(parts, { title: vscode.l10n.t('Undo'), items, ended }, signal);
}

interface Undoing {
	readonly act: StatusAct;
	readonly inFront: PatchsetSubject | undefined;
}

/** What is to be given back; somebody has agreed to what is not in front. */
async function planned(parts: StatusParts, { act, inFront }: Undoing, signal: AbortSignal): Promise<readonly Job[]> {
	const now = await withProgress(vscode.l10n.t('Reading the patchsets…'), signal, (working) =>
		readableOnes(
			act.map(async (change) => {
				const { lists } = connectionOf(parts.connections, change.subject);
				return { change, patchset: await lists.renewPatchset(change.subject.ref, working) };
			}),
			working,
		),
	);
	const jobs = now.flatMap(({ change, patchset }): readonly Job[] =>
		change.before !== 'unknown' && patchset.status === change.after
			? [{ subject: change.subject, patchset, status: change.before }]
			: [],
	);
	const [only] = jobs;
	const isInFront = jobs.length === 1 && only && inFront && isSamePatchset(only.subject, inFront);
	if (only && isInFront !== true && !(await isMeant(jobs))) {
		throw cancelled();
	}
	return jobs;
}

interface Job extends StatusItem {
	readonly patchset: Patchset;
}

function isMeant(jobs: readonly Job[]): Promise<boolean> {
	const rows = jobs.map(({ subject, patchset, status }) =>
		vscode.l10n.t(
			'“{0}” ({1}) back to {2}',
			visibleLine(patchset.subject),
			whichText({ subject, patchset }),
			statusLook(status).text,
		),
	);
	return confirm(
		jobs.length === 1
			? vscode.l10n.t('Undo the status of 1 patchset?')
			: vscode.l10n.t('Undo the status of {0} patchsets?', jobs.length),
		namesText(rows),
		vscode.l10n.t('Undo'),
	);
}
