import * as vscode from 'vscode';
import { notify, tellBriefly } from '../../../editor/notify.ts';
import type { RepositoryRef, TreePath } from '../../../forge/repository.ts';
import type { ChangedFile, ChangedFiles } from '../../../state/changedFiles.ts';
import { nameOf } from '../../../state/repositoryEntries.ts';
import { uriOfPlace, uriOfSide } from '../placeUri.ts';
import { shownName } from '../words.ts';

/** The editor draws each of them when it comes into view, but it wants to know of all of them at once. */
const mostFiles = 2000;

/** A repository as one account sees it. */
export interface Within {
	readonly connectionKey: string;
	readonly ref: RepositoryRef;
}

/** The address of a file at a commit. */
export function uriOf({ connectionKey, ref }: Within, at: TreePath): vscode.Uri {
	return uriOfPlace({ kind: 'entry', connectionKey, ref, at });
}

/** The same where it is compared, so that the editor takes it for the same file at both commits. */
function sideOf({ connectionKey, ref }: Within, at: TreePath): vscode.Uri {
	return uriOfSide({ kind: 'entry', connectionKey, ref, at });
}

/**
 * Shows what is different in the editor's own comparison of many files; `nothing` is said when there is none. What is not
 * shown is said as well.
 */
export async function openFiles(
	within: Within,
	{ files, leftOut, refused }: ChangedFiles,
	{ title, nothing }: { readonly title: string; readonly nothing: string },
): Promise<void> {
	if (leftOut !== undefined) {
		void notify(
			'warning',
			vscode.l10n.t('There is more that is different than can be compared. A part of it is shown.'),
		);
	}
	if (refused > 0) {
		void notify('warning', vscode.l10n.t('{0} files cannot be shown: no file may have such a name.', refused));
	}
	if (files.length === 0) {
		if (refused === 0) {
			await notify('information', nothing);
		}
		return;
	}
	if (files.length > mostFiles) {
		tellBriefly(vscode.l10n.t('Only the first {0} of {1} files are shown.', mostFiles, files.length));
	}
	const shown = files.slice(0, mostFiles).flatMap(({ before, after }) => {
		const name = after ?? before;
		return name
			? [[uriOf(within, name), before && sideOf(within, before), after && sideOf(within, after)] as const]
			: [];
	});
	await vscode.commands.executeCommand('vscode.changes', title, shown);
}

/** Shows one file in the editor's own comparison, or the one side that there is. */
export async function openFile(
	within: Within,
	{ before, after }: Pick<ChangedFile, 'before' | 'after'>,
): Promise<void> {
	if (before && after) {
		const title = vscode.l10n.t('{0} ({1} → {2})', namesOf(before, after), shortId(before.ref), shortId(after.ref));
		const [one, other] = [sideOf(within, before), sideOf(within, after)];
		await vscode.commands.executeCommand('vscode.diff', one, other, title, { preview: true });
		return;
	}
	const only = after ?? before;
	if (only) {
		tellBriefly(
			after
				? vscode.l10n.t('{0} is new. There is nothing to compare it with.', shownName(nameOf(only.path)))
				: vscode.l10n.t('{0} was deleted. This is what it held.', shownName(nameOf(only.path))),
		);
		await vscode.commands.executeCommand('vscode.open', uriOf(within, only));
	}
}

function namesOf(before: TreePath, after: TreePath): string {
	return before.path === after.path
		? shownName(nameOf(after.path))
		: vscode.l10n.t('{0} → {1}', shownName(before.path), shownName(after.path));
}

/** A full id as people read it. */
export function shortId(id: string): string {
	return id.slice(0, 7);
}
