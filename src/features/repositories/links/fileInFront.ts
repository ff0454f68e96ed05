import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { LineRange } from 'sourcehut/port/repository.ts';
import { repositoriesSubject } from '../subjects/subjects.ts';

/** A file in an editor, with the selected lines of a text. */
export interface FileInFront {
	readonly uri: vscode.Uri;
	readonly document: vscode.TextDocument | undefined;
	readonly lines: LineRange | undefined;
}

/**
 * The file of an editor's menu, or the active file. Lines come from the focused editor, because several editors may
 * show the file.
 */
export function fileInFront(subject: unknown): FileInFront | undefined {
	if (subject !== undefined && !isUri(subject)) {
		return undefined;
	}
	const editor = vscode.window.activeTextEditor;
	const uri = subject ?? addressInFront();
	if (!uri) {
		return undefined;
	}
	const isMeant = editor?.document.uri.toString() === uri.toString();
	return isMeant
		? { uri, document: editor.document, lines: linesOf(editor.selection) }
		: { uri, document: undefined, lines: undefined };
}

/**
 * Adds the selected lines to the address of the active document. A bare caret adds none, because it is always
 * somewhere.
 */
export function withSelectedLines(value: unknown): unknown {
	const editor = vscode.window.activeTextEditor;
	if (!editor || editor.selection.isEmpty || !isUri(value) || value.toString() !== editor.document.uri.toString()) {
		return value;
	}
	const subject = repositoriesSubject(value);
	return subject?.kind === 'file' ? { ...subject, lines: linesOf(editor.selection) } : value;
}

/** A caret selects its line. A selection that ends before a line's first character excludes that line. */
export function linesOf({ start, end }: vscode.Selection): LineRange {
	const isLastMeant = end.character > 0 || end.line === start.line;
	return { first: start.line + 1, last: isLastMeant ? end.line + 1 : end.line };
}

/** Addresses come from menus and from any other caller of the command. */
function isUri(value: unknown): value is vscode.Uri {
	return isRecord(value) && typeof value['scheme'] === 'string' && typeof value['path'] === 'string';
}
