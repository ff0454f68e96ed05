import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { nameOf } from '../../../store/repositories/repositoryEntries.ts';
import { placeOfUri } from '../subjects/placeUri.ts';
import { sizeText } from '../../../engine/text/size.ts';
import { shownName } from '../subjects/words.ts';

/** Explains the size limit for opening files and offers alternatives for a larger one. */
export function tooLargeNotice(problems: Problems): (uri: vscode.Uri, error: unknown) => void {
	async function offer(uri: vscode.Uri, error: unknown): Promise<void> {
		const place = placeOfUri(uri);
		if (!isForgeError(error) || error.problem.kind !== 'tooLarge' || place?.kind !== 'entry') {
			return problems.show(error);
		}
		const save = vscode.l10n.t('Save to Disk…');
		const web = vscode.l10n.t('Open on the Web');
		const chosen = await notify(
			'error',
			vscode.l10n.t(
				'{0} is larger than {1} and was not loaded: the editor shows no larger files. Save it to disk, or open it on the web.',
				shownName(nameOf(place.at.path)),
				sizeText(error.problem.limitBytes, vscode.env.language),
			),
			save,
			web,
		);
		if (chosen === save) {
			await vscode.commands.executeCommand('forge.repositories.download', uri);
		} else if (chosen === web) {
			await vscode.commands.executeCommand('forge.openOnWeb', uri);
		}
	}

	return (uri, error) => {
		offer(uri, error).catch((failure: unknown) => problems.log(failure));
	};
}
