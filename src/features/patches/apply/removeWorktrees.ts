import * as vscode from 'vscode';
import { cancelled, chooseSeveral, type TickChoice } from '../../../editor/ask/ask.ts';
import { withCountedProgress, withProgress } from '../../../editor/ask/progress.ts';
import { confirm, confirmForGood, namesText, notify } from '../../../editor/ask/notify.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { ownWorktrees, type OwnWorktree, removeWorktree } from 'hardened-git/ownWorktrees.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ApplyContext, AppliedPatchset } from './savedApplied.ts';
import { clonesHere } from './openClone.ts';

/** A worktree with the clone that can remove it and its applied patchset. */
interface Listed extends OwnWorktree {
	readonly root: string;
	readonly known: AppliedPatchset | undefined;
}

interface Root {
	readonly key: string;
	readonly root: string;
}

/** Lists the patchset worktrees of this window's clones and removes the chosen ones. */
export async function removeWorktrees(parts: ApplyContext, signal: AbortSignal): Promise<void> {
	const { all, missing } = await withProgress(vscode.l10n.t('Searching for worktrees…'), signal, (working) =>
		listed(parts, working),
	);
	if (missing.length > 0) {
		const text = vscode.l10n.t(
			'Not searched, because the folder is gone: {0}. Close its repository in the Source Control view.',
			missing.map(visibleLine).join(', '),
		);
		void notify('warning', text);
	}
	if (all.length === 0) {
		void notify('information', vscode.l10n.t('No worktrees of patchsets were found.'));
		return;
	}
	const clean = all.filter(({ hasChanges }) => !hasChanges);
	const chosen = await chooseSeveral(
		vscode.l10n.t('Choose worktrees to remove'),
		vscode.l10n.t('Their branches stay'),
		[
			{ heading: vscode.l10n.t('Everything is committed'), choices: clean.map(choiceOf) },
			{
				heading: vscode.l10n.t('Not removed while there are uncommitted changes'),
				choices: all.filter(({ hasChanges }) => hasChanges).map(choiceOf),
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
	const names = namesText(removable.map(({ folder }) => visibleLine(folder)));
	const lost = removable.flatMap(({ folder, ignored }) =>
		ignored.map((path) => visibleLine(vscode.Uri.joinPath(vscode.Uri.file(folder), path).fsPath)),
	);
	const losses = [names, vscode.l10n.t('Ignored files are deleted with them:'), namesText(lost)].join('\n');
	const remove = vscode.l10n.t('Remove');
	// Ignored files have no other copy.
	const isConfirmed = await (lost.length === 0
		? confirm(question, names, remove)
		: confirmForGood(question, losses, remove));
	if (!isConfirmed) {
		throw cancelled();
	}
	await removeAll(parts, removable, signal);
}

/** `missing`: folders of clones that the editor lists and that are gone. */
async function listed(parts: ApplyContext, signal: AbortSignal) {
	const { git, applied, folderKey } = parts;
	const clones = await clonesHere(parts.findGit, signal);
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
	const open = await Promise.all(folders.map(({ uri }) => folderKey(uri.fsPath)));
	const isOpen = (key: string): boolean => open.some((each) => each === key || each.startsWith(`${key}/`));
	const known = await Promise.all(
		applied
			.all()
			.map(async (each): Promise<readonly [string, AppliedPatchset]> => [await folderKey(each.folder), each]),
	);
	const byKey = new Map(known.toReversed());
	/** By folder key. `roots`: clones and worktrees of this window that can remove it. */
	const own = new Map<string, { readonly worktree: OwnWorktree; readonly roots: readonly Root[] }>();
	const missing: string[] = [];
	for (const { root } of clones) {
		const rootKey = await folderKey(root.fsPath);
		const worktrees = await ownWorktrees(git, root.fsPath, signal).catch((error: unknown) => {
			if (!(error instanceof GitFailure) || error.problem.kind !== 'folderMissing') {
				throw error;
			}
		});
		if (!worktrees) {
			missing.push(root.fsPath);
			continue;
		}
		for (const worktree of worktrees) {
			const key = await folderKey(worktree.folder);
			// Git removes no worktree from within.
			const others = key === rootKey ? [] : [{ key: rootKey, root: root.fsPath }];
			own.set(key, { worktree, roots: [...(own.get(key)?.roots ?? []), ...others] });
		}
	}
	// The editor opens worktrees as repositories. Never remove one from another that may disappear first.
	const found: Listed[] = [];
	const staying = new Set<string>();
	for (const [key, { worktree, roots }] of own) {
		const from = roots.find((each) => !own.has(each.key) || isOpen(each.key) || staying.has(each.key)) ?? roots[0];
		// Nor what is open in the window, under it.
		if (from && !isOpen(key) && !staying.has(key)) {
			staying.add(from.key);
			found.push({ ...worktree, root: from.root, known: byKey.get(key) });
		}
	}
	return { all: found, missing };
}

function choiceOf(worktree: Listed): TickChoice<Listed> {
	const { folder, branch, hasChanges, unpushed, ignored, known } = worktree;
	const commits =
		unpushed === 1 ? vscode.l10n.t('1 commit not pushed') : vscode.l10n.t('{0} commits not pushed', unpushed);
	const files =
		ignored.length === 1
			? vscode.l10n.t('1 ignored file or folder')
			: vscode.l10n.t('{0} ignored files or folders', ignored.length);
	const facts = [
		...(hasChanges ? [vscode.l10n.t('uncommitted changes')] : []),
		...(unpushed > 0 ? [commits] : []),
		...(ignored.length > 0 ? [files] : []),
	];
	return {
		label: visibleLine(known?.title ?? branch ?? folder),
		description: [...(branch === undefined ? [] : [visibleLine(branch)]), ...facts].join(' · '),
		detail: visibleLine(folder),
		picked: !hasChanges && unpushed === 0 && ignored.length === 0,
		value: worktree,
	};
}

async function removeAll(parts: ApplyContext, all: readonly Listed[], signal: AbortSignal): Promise<void> {
	const left = { changed: new Array<string>(), refused: new Array<string>() };
	const work = { title: vscode.l10n.t('Removing worktrees…'), total: all.length, signal };
	await withCountedProgress(work, async (working, step) => {
		for (const { root, folder, ignored, known } of all) {
			const removal = await removeWorktree(parts.git, { root, folder, ignored }, working);
			switch (removal.kind) {
				case 'removed':
					await parts.applied.drop(known?.folder ?? folder);
					break;
				case 'hasChanges':
					left.changed.push(visibleLine(folder));
					break;
				case 'notOurs':
					left.refused.push(visibleLine(folder));
					parts.problems.log(
						new GitFailure({ kind: 'failed', program: 'git' }, `${folder} is no worktree of ours now`),
					);
					break;
				case 'refused':
					left.refused.push(visibleLine(folder));
					parts.problems.log(new GitFailure({ kind: 'failed', program: 'git' }, removal.complaint));
			}
			step();
		}
	});
	await parts.changed();
	if (left.changed.length > 0) {
		const names = left.changed.join(', ');
		void notify('warning', vscode.l10n.t('Not removed, because something in it changed: {0}', names));
	}
	if (left.refused.length > 0) {
		const names = left.refused.join(', ');
		void notify('error', vscode.l10n.t('Git could not remove: {0}. See the log for details.', names));
	}
	const removed = all.length - left.changed.length - left.refused.length;
	if (removed === all.length) {
		void notify(
			'information',
			removed === 1 ? vscode.l10n.t('Removed 1 worktree.') : vscode.l10n.t('Removed {0} worktrees.', removed),
		);
	}
}
