import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { newTicketScheme } from '../drafts/draftUri.ts';

/** A placeholder and its line. */
interface TitleHint {
	readonly line: number;
	readonly text: string;
}

/** Placeholders for empty lines. They are decorations and never part of the text. */
function titleHints(lines: readonly string[]): readonly TitleHint[] {
	const isBlank = (line: string): boolean => line.trim() === '';
	const [title = '', ...rest] = lines;
	const hints: TitleHint[] = [];
	if (isBlank(title)) {
		hints.push({ line: 0, text: vscode.l10n.t('Title of the ticket') });
	}
	if (lines.length > 2 && rest.every(isBlank)) {
		hints.push({ line: 2, text: vscode.l10n.t('Description in Markdown (optional)') });
	}
	return hints;
}

/** Shows the hints in every editor of a new ticket. */
export function shownTitleHints(): Disposable {
	const owned = new Disposables();
	const type = owned.add(
		vscode.window.createTextEditorDecorationType({
			after: { color: new vscode.ThemeColor('input.placeholderForeground') },
		}),
	);

	function show(editor: vscode.TextEditor): void {
		const { document } = editor;
		if (document.uri.scheme !== newTicketScheme) {
			return;
		}
		// Only the beginning matters, unless the whole document is blank.
		const count = Math.min(document.lineCount, 50);
		const lines = Array.from({ length: count }, (_, line) => document.lineAt(line).text);
		editor.setDecorations(
			type,
			titleHints(lines).map(({ line, text }) => ({
				range: new vscode.Range(line, 0, line, 0),
				renderOptions: { after: { contentText: text } },
			})),
		);
	}

	owned.add(vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(show)));
	owned.add(
		vscode.workspace.onDidChangeTextDocument(({ document }) => {
			if (document.uri.scheme === newTicketScheme) {
				vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach(show);
			}
		}),
	);
	vscode.window.visibleTextEditors.forEach(show);
	return owned;
}
