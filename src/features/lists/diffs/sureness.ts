import * as vscode from 'vscode';
import { Disposables, onDispose, type Disposable } from '../../../base/lifecycle.ts';
import { isAbort } from '../../../base/abort.ts';
import type { PatchFiles } from '../../../patchDocuments/patchFiles.ts';
import { patchScheme, placeOfPatchUri, type PatchView } from '../../../patchDocuments/patchUri.ts';
import { surenessSentence, surenessWord, type FoundFile } from '../../../patchDocuments/wholeWords.ts';
import type { Problems } from '../../../editor/ask/problems.ts';

/** The documents that show a file, and what was found of it. */
export interface NotedFile {
	readonly documents: readonly (vscode.Uri | undefined)[];
	readonly found: FoundFile;
}

/** Says of the document of a patch that is in front how sure what it shows is, where the editor tells of a file's language. */
export interface Sureness extends Disposable {
	/** What was found of the files that documents show. */
	note(files: readonly NotedFile[]): void;
}

/** Documents of which it is remembered; whole files are asked about again, others only say what they are. */
const mostDocuments = 4000;

export interface SurenessParts {
	readonly files: Pick<PatchFiles, 'found'>;
	readonly problems: Problems;
}

export function sureness({ files, problems }: SurenessParts): Sureness {
	const owned = new Disposables();
	const ending = new AbortController();
	const known = new Map<string, FoundFile>();
	const item = owned.add(vscode.languages.createLanguageStatusItem('forge.patch', { scheme: patchScheme }));
	item.name = vscode.l10n.t('Patch');
	owned.add(onDispose(() => ending.abort()));
	owned.add(vscode.window.onDidChangeActiveTextEditor((editor) => void show(editor?.document.uri)));
	void show(vscode.window.activeTextEditor?.document.uri);

	async function show(uri: vscode.Uri | undefined): Promise<void> {
		const view = uri && placeOfPatchUri(uri)?.view;
		if (!uri || !view) {
			return;
		}
		if (!isOfLines(view)) {
			say(vscode.l10n.t('Patch'), '', undefined);
			return;
		}
		const key = uri.toString();
		const isWhole = view.kind === 'wholeBefore' || view.kind === 'wholeAfter';
		const found = known.has(key) || !isWhole ? known.get(key) : await foundAgain(uri);
		if (vscode.window.activeTextEditor?.document.uri.toString() === key) {
			say(surenessWord(found), surenessSentence(found), found);
		}
	}

	async function foundAgain(uri: vscode.Uri): Promise<FoundFile> {
		try {
			return await files.found(uri, ending.signal);
		} catch (error) {
			if (!isAbort(error)) {
				problems.log(error);
			}
			return undefined;
		}
	}

	function say(text: string, detail: string, found: FoundFile): void {
		const { whole, missing } = found ?? {};
		item.text = text;
		item.detail = detail;
		item.severity =
			whole?.kind === 'applied' ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
		item.command = missing === undefined ? undefined : actionFor(missing === 'noRepository');
	}

	return {
		note(noted) {
			const all = noted.flatMap(({ documents, found }) => documents.map((uri) => ({ uri, found })));
			for (const { uri, found } of all) {
				if (uri) {
					const key = uri.toString();
					known.delete(key);
					known.set(key, found);
				}
			}
			for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - mostDocuments))) {
				known.delete(oldest);
			}
			void show(vscode.window.activeTextEditor?.document.uri);
		},
		dispose: () => owned.dispose(),
	};
}

function actionFor(isRepositoryUnknown: boolean): vscode.Command {
	return isRepositoryUnknown
		? { command: 'forge.patchsets.chooseRepository', title: vscode.l10n.t('Choose Repository…') }
		: { command: 'forge.patchsets.searchOlder', title: vscode.l10n.t('Search Older Commits') };
}

function isOfLines({ kind }: PatchView): boolean {
	switch (kind) {
		case 'before':
		case 'after':
		case 'only':
		case 'wholeBefore':
		case 'wholeAfter':
			return true;
		case 'pictureBefore':
		case 'pictureAfter':
		case 'asItCame':
		case 'raw':
			return false;
	}
}
