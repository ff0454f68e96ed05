import * as vscode from 'vscode';
import { isRecord } from '../../../editor/commands/subjects.ts';
import type { LineRange } from '../../../forge/repository.ts';
import { repositoriesSubject } from '../subjects/subjects.ts';

/** A document or another file in an editor, and the lines of it that are selected where it shows text. */
export interface FileInFront {
	readonly uri: vscode.Uri;
	readonly document: vscode.TextDocument | undefined;
	readonly lines: LineRange | undefined;
}

/**
 * The file that a command was used on: what the menu of an editor hands over, or what is in front when nothing is handed
 * over. Lines are those of the editor that has the focus, because a file may be open in several.
 */
export function fileInFront(subject: unknown): FileInFront | undefined {
	if (subject !== undefined && !isUri(subject)) {
		return undefined;
	}
	const editor = vscode.window.activeTextEditor;
	const uri = subject ?? editor?.document.uri ?? uriOfTab();
	if (!uri) {
		return undefined;
	}
	const isMeant = editor?.document.uri.toString() === uri.toString();
	return isMeant
		? { uri, document: editor.document, lines: linesOf(editor.selection) }
		: { uri, document: undefined, lines: undefined };
}

/**
 * What a link is wanted of: where the address of the document in front was handed over and lines of it are selected, those
 * lines of it. A caret alone stands somewhere anyway, and marks none here.
 */
export function withSelectedLines(value: unknown): unknown {
	const editor = vscode.window.activeTextEditor;
	if (!editor || editor.selection.isEmpty || !isUri(value) || value.toString() !== editor.document.uri.toString()) {
		return value;
	}
	const subject = repositoriesSubject(value);
	return subject?.kind === 'file' ? { ...subject, lines: linesOf(editor.selection) } : value;
}

/** A caret marks its line. A line of which not even the beginning is selected is not meant. */
export function linesOf({ start, end }: Pick<vscode.Selection, 'start' | 'end'>): LineRange {
	const isLastMeant = end.character > 0 || end.line === start.line;
	return { first: start.line + 1, last: isLastMeant ? end.line + 1 : end.line };
}

/** A picture is in front without a text. */
function uriOfTab(): vscode.Uri | undefined {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return isRecord(input) && isUri(input['uri']) ? input['uri'] : undefined;
}

/** Addresses come from the editor's menus, and from anybody else who runs the command. */
function isUri(value: unknown): value is vscode.Uri {
	return isRecord(value) && typeof value['scheme'] === 'string' && typeof value['path'] === 'string';
}
