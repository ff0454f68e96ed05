import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { fileInClone } from '../../../localGit/fileInClone.ts';
import { visibleLine } from '../../../text/visible.ts';
import { shownName } from '../subjects/words.ts';
import type { CloneWishedPlace } from './keptWish.ts';

/**
 * Opens a file of a clone with the same lines selected, and says when it may not be the one that was seen: because the clone stands at
 * another commit, or has no such file. A link that leads out of the clone is not followed. `head`: what is checked out.
 */
export async function showInClone(
	{ path, selected, commit }: Omit<CloneWishedPlace, 'root'>,
	root: vscode.Uri,
	head: string | undefined,
): Promise<void> {
	const found = await fileInClone(root.fsPath, path);
	const isOther = commit !== undefined && head !== undefined && commit !== head;
	switch (found) {
		case 'file': {
			const { line, character, endLine, endCharacter } = selected;
			const options = { selection: new vscode.Range(line, character, endLine, endCharacter), preview: false };
			await vscode.commands.executeCommand('vscode.open', vscode.Uri.joinPath(root, path), options);
			break;
		}
		case 'folder':
			await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.joinPath(root, path));
			break;
		case 'outside':
			return tell(vscode.l10n.t('In the clone, {0} points outside the clone. It was not opened.', shownName(path)));
		case 'missing':
			return tell(
				isOther
					? vscode.l10n.t(
							'The clone has no file {0}: it is at {1}, and you viewed {2}. Check that commit out, or fetch it.',
							shownName(path),
							shortId(head),
							shortId(commit),
						)
					: vscode.l10n.t('The clone has no file {0} in its working tree.', shownName(path)),
			);
	}
	if (isOther) {
		tell(
			vscode.l10n.t('The clone is at {0}, and you viewed {1}, so lines may differ.', shortId(head), shortId(commit)),
		);
	}
}

function shortId(id: string): string {
	return visibleLine(id.slice(0, 7));
}

/** Not awaited: a notice that nobody closes must not keep the command from ending. */
function tell(message: string): void {
	void notify('information', message);
}
