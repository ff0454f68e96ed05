import type * as vscode from 'vscode';
import { uriAt } from './fakeGit.ts';
import { standFor } from './standFor.ts';
import { stubbedDocuments, type StubbedDocument } from './stubbedDocuments.ts';

/** Options of a document with code. */
interface CodeDocumentOptions {
	readonly languageId?: string;
	readonly isDirty?: boolean;
	readonly uri?: vscode.Uri;
}

/** A document with code at a path, open in the stubbed editor. */
export function codeDocument(
	path: string,
	text: string,
	{ languageId = 'c', isDirty = false, uri = addressOf(path) }: CodeDocumentOptions = {},
): vscode.TextDocument {
	const lines = text.split('\n');
	const document = {
		uri,
		isDirty,
		languageId,
		lineCount: lines.length,
		lineAt: (line: number) => ({ text: lines[line] ?? '' }),
		getText: () => text,
		save: async () => true,
	};
	stubbedDocuments.open.push(document satisfies StubbedDocument);
	return standFor<vscode.TextDocument>(document);
}

/** A URI in the editor's form, which encodes unusual characters. */
function addressOf(path: string): vscode.Uri {
	return Object.assign(uriAt(path), { toString: () => new URL(`file://${path}`).href });
}

/** A diagnostic in a document. Lines count from 0. */
export function problemAt(line: number, message: string, about: Partial<vscode.Diagnostic> = {}): vscode.Diagnostic {
	const range = { start: { line, character: 0 }, end: { line, character: 1 } };
	return standFor<vscode.Diagnostic>({ range, message, ...about });
}
