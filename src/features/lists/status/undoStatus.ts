import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { cancelled } from '../../../editor/ask/ask.ts';
import { confirm, namesText, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { Patchset, SettablePatchsetStatus } from '../../../forge/port/list.ts';
import type { PatchsetSubject } from '../subjects/subjects.ts';
import { statusLook } from '../subjects/words.ts';
import { questionName, sendStatuses, whichText } from './sendStatuses.ts';
import type { StatusParts } from './statusParts.ts';
import { isSamePatchset, type StatusAct, type StatusActs, type StatusChange } from './statusActs.ts';
import type { StatusResult } from './statusWrites.ts';

/** The action to undo: a given one, or the newest about the active patchset, or the newest at all. */
export type StatusUndo =
	| { readonly kind: 'act'; readonly act: StatusAct }
	| { readonly kind: 'newest'; readonly inFront: PatchsetSubject | undefined };

/**
 * Restores the statuses from before this window's change. Others see it at once, so asks first about patchsets that are
 * not on screen. Skips patchsets that others changed since.
 */
export async function undoStatus(parts: StatusParts, what: StatusUndo, signal: AbortSignal): Promise<void> {
	const act = what.kind === 'act' ? parts.statusActs.take(what.act) : parts.statusActs.takeNewest(what.inFront);
	if (!act) {
		return tellBriefly(
			what.kind === 'act'
				? vscode.l10n.t('This was already undone.')
				: vscode.l10n.t('There is nothing to undo in this window.'),
		);
	}
	const inFront = what.kind === 'newest' ? what.inFront : undefined;
	const { jobs, unread } = await planned(parts, { act, inFront }, signal).catch((error: unknown) => {
		// Nothing was undone, so it can still be undone later.
		parts.statusActs.record(act);
		throw error;
	});
	const keepRest = restKeeper(parts.statusActs, [
		...jobs.map(({ change }) => change),
		...unread.map(({ change }) => change),
	]);
	if (jobs.length === 0) {
		keepRest([]);
		const [failed] = unread;
		if (failed) {
			throw failed.error;
		}
		return tellBriefly(vscode.l10n.t('Nothing was undone: someone has changed the status since.'));
	}
	await sendStatuses(
		parts,
		{
			result: (count) => vscode.l10n.t('Undid status changes on {0}.', count),
			items: jobs.map(({ change, status }) => ({ subject: change.subject, status, expected: change.after })),
			unsent: unread.map(({ change: { subject, before, after }, error }) => ({
				subject,
				before: after,
				status: before,
				expected: after,
				outcome: { kind: 'unread', error },
			})),
			ended: keepRest,
		},
		signal,
	);
}

/** Keeps what is still to be undone after each sending; there is one such rest at a time. */
function restKeeper(acts: StatusActs, all: StatusAct): (results: readonly StatusResult[]) => undefined {
	let left = all;
	let kept: StatusAct | undefined;
	return (results) => {
		// Never undo later what others changed meanwhile.
		const done = results.filter(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'changed');
		left = left.filter(({ subject }) => !done.some((each) => isSamePatchset(each.subject, subject)));
		if (kept) {
			acts.take(kept);
		}
		kept = acts.record(left);
	};
}

interface Undoing {
	readonly act: StatusAct;
	readonly inFront: PatchsetSubject | undefined;
}

interface Plan {
	/** Changes to send; the user confirmed those outside the screen. */
	readonly jobs: readonly Job[];
	/** Patchsets that failed to load; others may have changed them. */
	readonly unread: readonly Unread[];
}

interface Unread {
	readonly change: StatusChange;
	readonly error: unknown;
}

async function planned(parts: StatusParts, { act, inFront }: Undoing, signal: AbortSignal): Promise<Plan> {
	const now = await withProgress(vscode.l10n.t('Loading patchsets…'), signal, (working) =>
		Promise.all(act.map((change) => readNow(parts, change, working))),
	);
	const unread = now.filter((each) => 'error' in each);
	const jobs = now.flatMap((each): readonly Job[] =>
		!('error' in each) && each.patchset.status === each.change.after ? [{ ...each, status: each.change.before }] : [],
	);
	const [only] = jobs;
	const isInFront = jobs.length === 1 && only && inFront && isSamePatchset(only.change.subject, inFront);
	if (only && isInFront !== true && !(await isMeant(jobs))) {
		throw cancelled();
	}
	return { jobs, unread };
}

interface ReadNow {
	readonly change: StatusChange;
	readonly patchset: Patchset;
}

async function readNow(
	{ connections }: StatusParts,
	change: StatusChange,
	signal: AbortSignal,
): Promise<ReadNow | Unread> {
	try {
		const { lists } = connectionOf(connections, change.subject);
		return { change, patchset: await lists.renewPatchset(change.subject.ref, signal) };
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return { change, error };
	}
}

interface Job extends ReadNow {
	readonly status: SettablePatchsetStatus;
}

function isMeant(jobs: readonly Job[]): Promise<boolean> {
	const rows = jobs.map(({ change: { subject }, patchset, status }) =>
		vscode.l10n.t(
			'"{0}" ({1}) back to {2}',
			questionName(patchset),
			whichText({ subject, patchset }),
			statusLook(status).text,
		),
	);
	return confirm(
		jobs.length === 1
			? vscode.l10n.t('Undo the status change of 1 patchset?')
			: vscode.l10n.t('Undo the status changes of {0} patchsets?', jobs.length),
		namesText(rows),
		vscode.l10n.t('Undo'),
	);
}
