import * as vscode from 'vscode';
import { LRUCache } from 'lru-cache';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import type { PatchFiles } from '../../../editor/patchDocuments/patchFiles.ts';
import { isWholeView, patchScheme, placeOfPatchUri, type PatchView } from '../../../editor/patchDocuments/patchUri.ts';
import {
	certaintySentence,
	certaintyWord,
	type FoundFile,
	type WhyMissing,
} from '../../../editor/patchDocuments/fullFileTexts.ts';
import type { Problems } from '../../../editor/ask/problems.ts';

/** Views that show lines of a patch. */
const kindsOfLines: ReadonlySet<PatchView['kind']> = new Set(['before', 'after', 'only', 'wholeBefore', 'wholeAfter']);

/** Memory limit. After an eviction, whole files search again; others show only their kind. */
const mostDocuments = 4000;

/** Shows the certainty of the active patch document next to the editor's language status. */
export type Certainty = ReturnType<typeof certainty>;

export function certainty(files: PatchFiles, problems: Problems) {
	const owned = new Disposables();
	const ending = new AbortController();
	const known = new LRUCache<string, Said>({ max: mostDocuments });
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
		if (!kindsOfLines.has(view.kind)) {
			say(justPatch());
			return;
		}
		const key = uri.toString();
		const noted = known.get(key);
		if (noted || !isWholeView(view)) {
			say(noted ?? saidOf(undefined));
			return;
		}
		say(justPatch());
		item.busy = true;
		const found = await files.found(uri, ending.signal).catch((error: unknown) => {
			problems.log(error);
			return undefined;
		});
		if (vscode.window.activeTextEditor?.document.uri.toString() === key) {
			say(saidOf(found));
		}
	}

	function say({ text, detail, isDoubtful, action }: Said): void {
		item.busy = false;
		item.text = text;
		item.detail = detail;
		item.severity = isDoubtful ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
		item.command = action;
	}

	return {
		/** Records the search results of files in documents. */
		note(noted: readonly { readonly documents: readonly (vscode.Uri | undefined)[]; readonly found: FoundFile }[]) {
			for (const { documents, found } of noted) {
				const said = saidOf(found);
				documents.filter((each) => each !== undefined).forEach((uri) => known.set(uri.toString(), said));
			}
			void show(vscode.window.activeTextEditor?.document.uri);
		},
		dispose: () => owned.dispose(),
	};
}

/** Texts for a document. Excludes the file itself: there may be thousands with megabytes each. */
interface Said {
	readonly text: string;
	readonly detail: string;
	readonly isDoubtful: boolean;
	/** Action that finds more of the file. */
	readonly action: vscode.Command | undefined;
}

function justPatch(): Said {
	return { text: vscode.l10n.t('Patch'), detail: '', isDoubtful: false, action: undefined };
}

function saidOf(found: FoundFile): Said {
	const choose = { command: 'forge.patchsets.chooseRepository', title: vscode.l10n.t('Choose Repository…') };
	const older = { command: 'forge.patchsets.searchOlder', title: vscode.l10n.t('Load from Older Commits') };
	const actions: Readonly<Record<WhyMissing, vscode.Command | undefined>> = {
		budget: older,
		tooMany: older,
		tooLarge: older,
		failed: { command: 'forge.patchsets.searchOlder', title: vscode.l10n.t('Try Again') },
		notThere: choose,
		noRepository: choose,
		noneChosen: choose,
		gone: choose,
		ambiguous: undefined,
		badPath: undefined,
	};
	return {
		text: certaintyWord(found),
		detail: certaintySentence(found),
		isDoubtful: found?.whole.kind === 'applied',
		action: found?.missing && actions[found.missing],
	};
}
