import * as vscode from 'vscode';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { followRepositories } from '../../../editor/git/followRepositories.ts';
import { applyingKey } from '../../../editor/names/storageKeys.ts';
import { applyState, applyTrace, branchIn, headCommit, mayBeStopped } from 'hardened-git/applyState.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import type { AppliedPatchset, SavedApplied, StoppedApply } from './savedApplied.ts';
import { clonesHere } from './openClone.ts';
import { waitingText } from './outcomes.ts';

/** Git's state of folders with a recorded stop and of this window's clones. Throws aborts and non-git failures. */
export async function stoppedApplies(
	parts: ListsContext,
	applied: SavedApplied,
	signal: AbortSignal,
): Promise<readonly StoppedApply[]> {
	const clones = await clonesHere(parts.findGit, signal);
	const open = clones.map(({ root }) => root.fsPath);
	return (await statesOf(parts, applied, [...stoppedFolders(applied), ...open], signal)).stopped;
}

function stoppedFolders(applied: SavedApplied): readonly string[] {
	return applied.all().flatMap(({ after, folder }) => (after === undefined ? [folder] : []));
}

/** Excludes folders where git failed. */
async function statesOf(
	{ git, folderKey }: ListsContext,
	applied: SavedApplied,
	folders: readonly string[],
	signal: AbortSignal,
) {
	const stopped: StoppedApply[] = [];
	/** Folders without a stop. */
	const over: string[] = [];
	// The editor may name a folder differently from its record.
	const byKey = new Map<string, string>();
	for (const folder of folders) {
		const key = await folderKey(folder);
		byKey.set(key, byKey.get(key) ?? folder);
	}
	for (const folder of byKey.values()) {
		// The folder may be gone, or no repository any more.
		const state = await applyState(git, folder, signal).catch((error: unknown) => {
			if (!(error instanceof GitFailure)) {
				throw error;
			}
		});
		if (state?.kind === 'stopped') {
			const known = applied.all().find((each) => each.folder === folder && each.after === undefined);
			stopped.push({ folder, state, applied: known });
		} else if (state?.kind === 'none') {
			over.push(folder);
		}
	}
	return { stopped, over };
}

/** Git that has written nothing for so long waits for a person. */
const quietMs = 3000;

/**
 * Shows a stopped patchset in the status bar, in this window and in the next one of the workspace; a click offers the
 * steps. Detects operations from a terminal when the editor's git reports a change. While git may be running, waits
 * until it writes nothing more. Skips git for clones without signs of a stop.
 */
export function stoppedStatus(
	parts: ListsContext,
	applied: SavedApplied,
	onApplied: (record: AppliedPatchset, after: string) => Promise<void>,
) {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	let item: vscode.StatusBarItem | undefined;
	let running = 0;
	let isFollowing = false;
	/** Open clones and their last known signs of a stop. */
	const clones = new Map<string, boolean>();
	/** Files of a possibly running git, and their time of discovery. */
	const lockFiles = new Map<string, { readonly trace: string; readonly sinceMs: number }>();
	let nextCheck = onDispose(() => undefined);
	owned.add(onDispose(() => nextCheck.dispose()));

	/** Returns whether the state changed. */
	async function check(root: string): Promise<boolean> {
		const before = clones.get(root);
		const now = await mayBeStopped(root);
		if (clones.has(root)) {
			clones.set(root, now);
		}
		return before !== now;
	}

	async function followClones(): Promise<void> {
		if (isFollowing) {
			return;
		}
		isFollowing = true;
		const git = await parts.findGit(ending.signal);
		if (git) {
			owned.add(
				followRepositories(git, ({ rootUri, state }) => {
					const root = rootUri.fsPath;
					const checkAgain = async (): Promise<void> => {
						if (await check(root)) {
							await refresh();
						}
					};
					const listening = new Disposables();
					if (rootUri.scheme === 'file') {
						clones.set(root, false);
						listening.add(onDispose(() => clones.delete(root)));
						listening.add(state.onDidChange(() => void checkAgain()));
						void checkAgain();
					}
					return listening;
				}),
			);
		}
	}

	/** Folders where git probably waits for the user. Schedules another look where git may be running. */
	async function waiting(all: readonly StoppedApply[]): Promise<readonly StoppedApply[]> {
		const folders = all.map(({ folder }) => folder);
		[...lockFiles.keys()].filter((folder) => !folders.includes(folder)).forEach((folder) => lockFiles.delete(folder));
		const found: StoppedApply[] = [];
		for (const each of all) {
			const { folder, applied: record } = each;
			if (record && record.begunMs === undefined) {
				// A window has seen how git ended.
				found.push(each);
				continue;
			}
			const trace = await applyTrace(folder);
			const before = lockFiles.get(folder);
			const nowMs = parts.clock.nowMs();
			if (before?.trace !== trace) {
				lockFiles.set(folder, { trace, sinceMs: nowMs });
			} else if (nowMs - before.sinceMs >= quietMs) {
				found.push(each);
			}
		}
		nextCheck.dispose();
		if (found.length < all.length && !ending.signal.aborted) {
			nextCheck = parts.clock.after(quietMs, () => void refresh());
		}
		return found;
	}

	function say([first, ...others]: readonly StoppedApply[]): void {
		if (!first) {
			item?.hide();
			return;
		}
		item ??= owned.add(vscode.window.createStatusBarItem('forge.applying', vscode.StatusBarAlignment.Left, 90));
		item.name = vscode.l10n.t('Applying a patchset');
		item.command = 'forge.apply.show';
		const { at, of } = first.state;
		const text =
			others.length === 0
				? vscode.l10n.t('Applying {0} of {1}', at, of)
				: vscode.l10n.t('Applying {0} of {1} (+{2})', at, of, others.length);
		item.text = `$(git-merge) ${text}`;
		const title = withoutPictures(visibleLine(first.applied?.title ?? first.folder));
		const why = waitingText(first.state);
		const label =
			others.length === 0
				? vscode.l10n.t('{0}: {1}', title, why)
				: others.length === 1
					? vscode.l10n.t('{0}: {1} 1 more patchset is waiting.', title, why)
					: vscode.l10n.t('{0}: {1} {2} more patchsets are waiting.', title, why, others.length);
		item.tooltip = label;
		item.accessibilityInformation = { label };
		item.show();
	}

	async function refresh(): Promise<void> {
		if (!parts.trust.isTrusted() || running > 0) {
			return;
		}
		try {
			await followClones();
			await Promise.all(Array.from(clones.keys(), check));
			const seeming = Array.from(clones).flatMap(([root, isStopped]) => (isStopped ? [root] : []));
			const folders = [...stoppedFolders(applied), ...seeming];
			const { stopped, over } = await statesOf(parts, applied, folders, ending.signal);
			const now = await waiting(stopped);
			// Somebody went on in a terminal. Those commits need the same comparison as ours.
			await Promise.all(
				over.map(async (folder) => {
					const record = applied.stoppedIn(folder);
					const { signal } = ending;
					const isSame = record && (await branchIn(parts.git, folder, signal)) === record.branch;
					const head = isSame ? await headCommit(parts.git, folder, signal) : record?.before;
					if (record && head !== undefined && head !== record.before && applied.stoppedIn(folder)) {
						await onApplied(record, head);
					} else {
						await applied.dropStopped(folder);
					}
				}),
			);
			const flag = stopped.length > 0 ? true : undefined;
			if (parts.flags.get(applyingKey) !== flag) {
				await parts.flags.update(applyingKey, flag);
			}
			say(now);
			await vscode.commands.executeCommand('setContext', 'forge.applying', now.length > 0);
		} catch (error) {
			parts.problems.log(error);
		}
	}

	owned.add(parts.trust.onDidGrant(() => void refresh()));
	owned.add(
		vscode.window.onDidChangeWindowState(({ focused }) => {
			if (focused && stoppedFolders(applied).length > 0) {
				void refresh();
			}
		}),
	);
	return {
		/** Logs errors. */
		refresh,
		/** Runs git; a stop during the run needs no user. Refresh afterwards. */
		async during<T>(work: () => Promise<T>): Promise<T> {
			running += 1;
			try {
				return await work();
			} finally {
				running -= 1;
			}
		},
		dispose: () => owned.dispose(),
	};
}
