import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { branchHead, branchIn } from '../../../localGit/applyState.ts';
import type { ApplyOutcome } from '../../../localGit/applySeries.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ApplyParts } from './applyParts.ts';
import { shortId } from './askPlace.ts';
import type { AppliedPatchset } from './keptApplied.ts';

/**
 * Reports the branch's position after an abort. Git leaves a branch alone that somebody moved during the stop, and
 * still reports an abort. If somebody checked out another branch, git moves that one or none.
 */
export async function tellAborted(
	{ git }: Pick<ApplyParts, 'git'>,
	target: Pick<AppliedPatchset, 'before' | 'branch'> | undefined,
	{ folder, head }: Extract<ApplyOutcome, { kind: 'aborted' }>,
	signal: AbortSignal,
): Promise<void> {
	if (!target) {
		void notify('information', vscode.l10n.t('Applying was aborted. {0} is checked out now.', shortId(head)));
		return;
	}
	const { before, branch } = target;
	const now = await branchIn(git, folder, signal);
	if (now !== branch) {
		const at = branch === undefined ? undefined : await branchHead(git, folder, branch, signal);
		void tellOnOtherBranch({ begun: branch, now, head, before, at });
	} else if (before === head) {
		void notify('information', vscode.l10n.t('Applying was aborted. The branch is as it was before.'));
	} else {
		const text = vscode.l10n.t(
			'Applying was aborted, but git left the branch at {0}, because commits were made after it stopped. Before, it was at {1}: reset the branch in a terminal to go back there.',
			shortId(head),
			shortId(before),
		);
		void notify('warning', text);
	}
}

/** Short branch names and commits; `at`: position of the branch where applying began. */
interface OtherBranch {
	readonly begun: string | undefined;
	readonly now: string | undefined;
	readonly head: string;
	readonly before: string;
	readonly at: string | undefined;
}

function tellOnOtherBranch({ begun, now, head, before, at }: OtherBranch): Thenable<unknown> {
	const checkedOut = visibleLine(now ?? shortId(head));
	const from = visibleLine(begun ?? shortId(before));
	if (at === before) {
		return notify(
			'information',
			vscode.l10n.t('Applying was aborted. {0} is as it was before; {1} is checked out now.', from, checkedOut),
		);
	}
	const text =
		at === undefined
			? vscode.l10n.t(
					'Applying was aborted, but {1} is checked out now. Applying was begun on {0}: compare both in a terminal.',
					from,
					checkedOut,
				)
			: vscode.l10n.t(
					'Applying was aborted, but {1} is checked out now, and {0} is still at {2}. Before, it was at {3}: compare both branches in a terminal.',
					from,
					checkedOut,
					shortId(at),
					shortId(before),
				);
	return notify('warning', text);
}
