import * as vscode from 'vscode';
import { withProgress, type ShownProgress } from '../../../editor/ask/progress.ts';
import type { RepositoryRef } from '../../../forge/repository.ts';
import { cloneRepository, type CloneProgress, type CloneWish } from '../../../localGit/cloneRepository.ts';
import { GitFailure } from '../../../localGit/gitFailure.ts';
import type { HardenedGit } from '../../../localGit/hardenedGit.ts';
import type { Connection } from '../../../state/connection.ts';
import { shownName } from '../subjects/words.ts';
import { askAddress, askFolderName, askParent } from './cloneQuestions.ts';

export interface MakeCloneParts {
	readonly git: HardenedGit;
	readonly isTrusted: () => boolean;
}

interface Cloned {
	readonly connection: Connection;
	readonly ref: RepositoryRef;
	/** Branch or tag to check out instead of the default branch. */
	readonly branch: string | undefined;
}

/** Asks for method and place, and clones. Returns the new folder. */
export async function makeClone(
	{ git, isTrusted }: MakeCloneParts,
	{ connection, ref, branch }: Cloned,
	signal: AbortSignal,
): Promise<vscode.Uri> {
	if (!isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const way = await askAddress(connection, ref, vscode.l10n.t('Clone {0} over', shownName(ref.name)));
	if (!way) {
		throw new GitFailure({ kind: 'refused', what: 'address' });
	}
	const parent = (await askParent(ref)).fsPath;
	let taken: string | undefined;
	for (;;) {
		const name: string = await askFolderName(taken ?? ref.name, taken);
		try {
			const wish = { address: way.address, parent, name, ...(branch === undefined ? {} : { branch }) };
			return vscode.Uri.file(await cloneShown(git, wish, ref, signal));
		} catch (error) {
			if (!(error instanceof GitFailure) || error.problem.kind !== 'folderTaken') {
				throw error;
			}
			taken = name;
		}
	}
}

function cloneShown(git: HardenedGit, wish: CloneWish, ref: RepositoryRef, signal: AbortSignal): Promise<string> {
	let shown: ShownProgress | undefined;
	let told = 0;
	const tell = (progress: CloneProgress): void => {
		const now = overall(progress);
		shown?.report({ message: progressText(progress), increment: Math.max(0, now - told) });
		told = Math.max(told, now);
	};
	return withProgress(
		vscode.l10n.t('Cloning {0}…', shownName(ref.name)),
		signal,
		(working) => cloneRepository(git, wish, tell, working),
		(announced) => {
			shown = announced;
			told = 0;
		},
	);
}

/** Receiving takes most of the time. Between 0 and 100. */
function overall({ step, share }: CloneProgress): number {
	switch (step) {
		case 'receiving':
			return 70 * share;
		case 'resolving':
			return 70 + 20 * share;
		case 'writing':
			return 90 + 10 * share;
	}
}

function progressText({ step, share }: CloneProgress): string {
	const percent = new Intl.NumberFormat(vscode.env.language, { style: 'percent' }).format(share);
	switch (step) {
		case 'receiving':
			return vscode.l10n.t('receiving objects, {0}', percent);
		case 'resolving':
			return vscode.l10n.t('resolving deltas, {0}', percent);
		case 'writing':
			return vscode.l10n.t('updating files, {0}', percent);
	}
}
