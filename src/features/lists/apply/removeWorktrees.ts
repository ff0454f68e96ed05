import * as vscode from 'vscode';
import { cancelled, chooseSeveral, type TickChoice } from '../../../editor/ask/ask.ts';
import { withCountedProgress } from '../../../editor/ask/countedProgress.ts';
import { confirm, namesText, notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { removeWorktree } from '../../../localGit/applySeries.ts';
import { ownWorktrees, type OwnWorktree } from '../../../localGit/ownWorktrees.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ApplyParts } from './applyParts.ts';
import { clonesHere } from './openClone.ts';

/** A worktree, and the clone that it is removed from. */
interface Listed extends OwnWorktree {
	readonly root: string;
}

/** Lists the worktrees that were made for patchsets, of the clones in this window, and removes those that are chosen. */
export async function removeWorktrees(parts: ApplyParts, signal: AbortSignal): Promise<void> {
	const all = await withProgress(vscode.l10n.t('Searching for worktrees…'), signal, (working) =>
		listed(parts, working),
	);
	if (all.length === 0) {
		void notify('information', vscode.l10n.t('No worktrees of patchsets were found.'));
		return;
	}
	const clean = all.filter(({ hasChanges }) => !hasChanges);
	const chosen = await chooseSeveral(
		vscode.l10n.t('Choose worktrees to remove'),
		vscode.l10n.t('Their branches stay'),
		[
			{ heading: vscode.l10n.t('Everything is committed'), choices: clean.map((each) => choiceOf(parts, each)) },
			{
				heading: vscode.l10n.t('Not removed while there are uncommitted changes'),
				choices: all.filter(({ hasChanges }) => hasChanges).map((each) => choiceOf(parts, each)),
			},
		],
	);
	const removable = chosen.filter(({ hasChanges }) => !hasChanges);
	if (removable.length === 0) {
		if (chosen.length > 0) {
			void notify('information', vscode.l10n.t('Commit or discard the changes in these worktrees first.'));
		}
		throw cancelled();
	}
	const question =
		removable.length === 1
			? vscode.l10n.t('Remove 1 worktree?')
			: vscode.l10n.t('Remove {0} worktrees?', removable.length);
	const detail = namesText(removable.map(({ folder }) => visibleLine(folder)));
	if (!(await confirm(question, detail, vscode.l10n.t('Remove')))) {
		throw cancelled();
	}
	await removeAll(parts, removable, signal);
}

async function listed({ findGit, git }: ApplyParts, signal: AbortSignal): Promise<readonly Listed[]> {
	const found = new Map<string, Listed>();
	for (const { root } of await clonesHere(findGit, signal)) {
		for (const worktree of await ownWorktrees(git, root.fsPath, signal)) {
			// Of a worktree that is open in the window, the clone cannot be told from it; its own row would remove what is open.
			if (worktree.folder !== root.fsPath) {
				found.set(worktree.folder, { ...worktree, root: root.fsPath });
			}
		}
	}
	return [...found.values()];
}

function choiceOf({ applied }: Pick<ApplyParts, 'applied'>, worktree: Listed): TickChoice<Listed> {
	const { folder, branch, hasChanges, unpushed } = worktree;
	const known = applied.all().find((each) => each.folder === folder);
	const facts = [
		...(hasChanges ? [vscode.l10n.t('uncommitted changes')] : []),
		...(unpushed > 0 ? [unpushedText(unpushed)] : []),
	];
	return {
		label: visibleLine(known?.title ?? branch ?? folder),
		description: [...(branch === undefined ? [] : [visibleLine(branch)]), ...facts].join(' · '),
		detail: visibleLine(folder),
		picked: !hasChanges && unpushed === 0,
		value: worktree,
	};
}

function unpushedText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 commit not pushed') : vscode.l10n.t('{0} commits not pushed', count);
}

async function removeAll(parts: ApplyParts, all: readonly Listed[], signal: AbortSignal): Promise<void> {
	const left: string[] = [];
	const work = { title: vscode.l10n.t('Removing worktrees…'), total: all.length, signal };
	await withCountedProgress(work, async (working, step) => {
		for (const { root, folder } of all) {
			if ((await removeWorktree(parts.git, { root, folder }, working)) === 'removed') {
				await parts.applied.drop(folder);
			} else {
				left.push(visibleLine(folder));
			}
			step();
		}
	});
	await parts.changed();
	const removed = all.length - left.length;
	if (left.length > 0) {
		void notify('warning', vscode.l10n.t('Not removed, because something in it changed: {0}', left.join(', ')));
	} else {
		void notify(
			'information',
			removed === 1 ? vscode.l10n.t('Removed 1 worktree.') : vscode.l10n.t('Removed {0} worktrees.', removed),
		);
	}
}
