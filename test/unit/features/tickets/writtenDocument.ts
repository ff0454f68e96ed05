import type * as vscode from 'vscode';
import { standFor } from '../../../support/standFor.ts';
import type { StubbedDocument } from '../../../support/stubbedDocuments.ts';
import { Position, Range } from '../../../support/vscodeValues.ts';

/** A document with changing text. */
export interface WrittenDocument {
	readonly document: vscode.TextDocument & StubbedDocument;
	/** Sets the text without a change event. */
	readonly write: (text: string) => void;
}

export function writtenDocument(
	uri: { toString(): string },
	first: string,
	{ languageId = 'markdown', isUntitled = false, isClosed = false } = {},
): WrittenDocument {
	let text = first;
	const lines = (): readonly string[] => text.split('\n');
	const offsetAt = ({ line, character }: Position): number =>
		lines()
			.slice(0, line)
			.reduce((sum, each) => sum + each.length + 1, 0) + character;
	const document = {
		uri,
		languageId,
		isUntitled,
		isClosed,
		isDirty: true,
		save: async () => true,
		getText: (range?: Range) =>
			range?.end === undefined ? text : text.slice(offsetAt(range.start), offsetAt(range.end)),
		get lineCount() {
			return lines().length;
		},
		lineAt(line: number) {
			const content = lines()[line] ?? '';
			return { text: content, range: new Range(new Position(line, 0), new Position(line, content.length)) };
		},
		offsetAt,
		positionAt(offset: number) {
			const before = text.slice(0, offset).split('\n');
			return new Position(before.length - 1, before.at(-1)?.length ?? 0);
		},
	};
	return {
		document: standFor<vscode.TextDocument & StubbedDocument>(document),
		write(next) {
			text = next;
		},
	};
}
