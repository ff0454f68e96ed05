import * as vscode from 'vscode';
import { confirmForGoodOrCancel } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { takeBack } from 'hardened-git/applySeries.ts';
import { commitsSince } from 'hardened-git/applyState.ts';
import { logComplaint } from './askedByGit.ts';
import { shortId } from './askPlace.ts';
import type { AppliedPatchset, ApplyDesk } from './keptApplied.ts';
import { refusedText } from './outcomes.ts';

/** Takes the commits of an applied patchset back, if nobody committed since. */
export async function undoApplying(parts: ApplyDesk, given: AppliedPatchset, signal: AbortSignal): Promise<void> {
	const { folder, before, after = before, branch } = given;
	const count = await commitsSince(parts.git, folder, { from: before, to: after }, signal);
	const question = vscode.l10n.t('Undo applying "{0}"?', visibleLine(given.title));
	const detail = vscode.l10n.t(
		'{0} goes back to {1}. Commits that leave the branch: {2}. Uncommitted changes stay.',
		visibleLine(branch ?? 'HEAD'),
		shortId(before),
		count,
	);
	await confirmForGoodOrCancel(question, detail, vscode.l10n.t('Undo'));
	const done = await takeBack(parts.git, folder, { before, after }, signal);
	switch (done.kind) {
		case 'takenBack':
			await parts.applied.drop(folder);
			void notify('information', vscode.l10n.t('{0} is as it was before.', visibleLine(branch ?? 'HEAD')));
			await parts.changed();
			return;
		case 'moved':
			void notify(
				'warning',
				vscode.l10n.t('Another commit is checked out now. Reset the branch in a terminal to take the patches back.'),
			);
			return;
		case 'refused':
			void notify('error', refusedText(done.why));
			return;
		case 'failed':
			logComplaint(parts, done.complaint);
			void notify(
				'error',
				vscode.l10n.t(
					'Git could not take the commits back: uncommitted changes may be in the way. See the log for details.',
				),
			);
	}
}
