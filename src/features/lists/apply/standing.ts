import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import { Disposables, onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { withoutPictures } from '../../../editor/ask/notify.ts';
import { applyingKey } from '../../../editor/names/storageKeys.ts';
import { applyState, type StoppedState } from '../../../localGit/applyState.ts';
import { GitFailure } from '../../../localGit/gitFailure.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ApplyParts } from './applyParts.ts';
import type { AppliedPatchset } from './keptApplied.ts';
import { clonesHere } from './openClone.ts';
import { stoppedText } from './outcomes.ts';

/** A folder in which `git am` is stopped. */
export interface Standing {
	readonly folder: string;
	readonly state: StoppedState;
	/** What is applied there; `undefined` where it was begun outside of this program, with the same options. */
	readonly applied: AppliedPatchset | undefined;
}

/** What git says now of the folders where something was stopped, and of the clones of this window; aborts and others' failures are thrown. */
export async function standings(
	parts: Pick<ApplyParts, 'applied' | 'findGit' | 'folderKey' | 'git'>,
	signal: AbortSignal,
): Promise<readonly Standing[]> {
	const clones = await clonesHere(parts.findGit, signal);
	const open = clones.map(({ root }) => root.fsPath);
	return (await statesOf(parts, [...stopped(parts).map(({ folder }) => folder), ...open], signal)).standing;
}

function stopped({ applied }: Pick<ApplyParts, 'applied'>): readonly AppliedPatchset[] {
	return applied.all().filter(({ after }) => after === undefined);
}

/** What git answered of folders; those where it could not be asked are in neither. */
interface FolderStates {
	readonly standing: readonly Standing[];
	/** Nothing is stopped there. */
	readonly over: readonly string[];
}

async function statesOf(
	{ git, applied, folderKey }: Pick<ApplyParts, 'git' | 'applied' | 'folderKey'>,
	folders: readonly string[],
	signal: AbortSignal,
): Promise<FolderStates> {
	const standing: Standing[] = [];
	const over: string[] = [];
	// The editor may call a folder by another name than the one that it was kept by.
	const byKey = new Map<string, string>();
	for (const folder of folders) {
		const key = await folderKey(folder);
		byKey.set(key, byKey.get(key) ?? folder);
	}
	for (const folder of byKey.values()) {
		const state = await applyState(git, folder, signal).catch(unlessGone);
		if (state?.kind === 'stopped') {
			const known = applied.all().find((each) => each.folder === folder && each.after === undefined);
			standing.push({ folder, state, applied: known });
		} else if (state) {
			over.push(folder);
		}
	}
	return { standing, over };
}

/** The folder may be gone, or no repository any more. */
function unlessGone(error: unknown): undefined {
	if (!(error instanceof GitFailure)) {
		throw error;
	}
}

/** The part of the editor's storage that is needed; the window's. */
export interface FlagStorage {
	get(key: string): unknown;
	update(key: string, value: unknown): PromiseLike<void>;
}

export interface StandingParts extends Pick<ApplyParts, 'applied' | 'folderKey' | 'git' | 'trust' | 'problems'> {
	readonly storage: FlagStorage;
}

/** The item of the status bar while a patchset is stopped. */
export interface StandingStatus extends Disposable {
	/** Looks again. What goes wrong is logged. */
	refresh(): Promise<void>;
}

/**
 * Says in the status bar that a patchset waits for a person, in this window and in the next one on this workspace; a click
 * offers the steps. Where nothing was stopped git is not run.
 */
export function standingStatus(parts: StandingParts): StandingStatus {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	let item: vscode.StatusBarItem | undefined;

	function say([first, ...others]: readonly Standing[]): void {
		if (!first) {
			item?.hide();
			return;
		}
		const { state, applied, folder } = first;
		item ??= owned.add(vscode.window.createStatusBarItem('forge.applying', vscode.StatusBarAlignment.Left, 90));
		item.name = vscode.l10n.t('Applying a patchset');
		item.command = 'forge.apply.show';
		const text = vscode.l10n.t('Applying {0} of {1}', state.at, state.of);
		item.text = others.length === 0 ? `$(git-merge) ${text}` : `$(git-merge) ${text} +${others.length}`;
		const label = `${withoutPictures(visibleLine(applied?.title ?? folder))}: ${stoppedText(state)}`;
		item.tooltip = label;
		item.accessibilityInformation = { label };
		item.show();
	}

	async function refresh(): Promise<void> {
		const kept = stopped(parts);
		if (!parts.trust.isTrusted()) {
			return;
		}
		try {
			const folders = kept.map(({ folder }) => folder);
			const { standing: now, over } = await statesOf(parts, folders, ending.signal);
			// Somebody went on in a terminal.
			await Promise.all(over.map((folder) => parts.applied.dropStopped(folder)));
			const flag = now.length > 0 ? true : undefined;
			if (parts.storage.get(applyingKey) !== flag) {
				await parts.storage.update(applyingKey, flag);
			}
			say(now);
			await vscode.commands.executeCommand('setContext', 'forge.applying', now.length > 0);
		} catch (error) {
			if (!isAbort(error)) {
				parts.problems.log(error);
			}
		}
	}

	owned.add(parts.trust.onDidGrant(() => void refresh()));
	owned.add(
		vscode.window.onDidChangeWindowState(({ focused }) => {
			if (focused && stopped(parts).length > 0) {
				void refresh();
			}
		}),
	);
	return { refresh, dispose: () => owned.dispose() };
}
