/** The item that tells of the document in front, as the editor has it for languages. */
export interface StubbedLanguageStatus {
	text: string;
	busy: boolean;
	detail: string | undefined;
	severity: number;
	command: { readonly command: string; readonly title: string } | undefined;
}

export interface StubbedFront {
	editor: { readonly document: { readonly uri: { toString(): string } } } | undefined;
	readonly listeners: Set<(editor: unknown) => void>;
	readonly selections: Set<(change: unknown) => void>;
	readonly status: StubbedLanguageStatus;
}

/** The text editor that is in front, and what is told of its document. */
export const stubbedFront: StubbedFront = {
	editor: undefined,
	listeners: new Set(),
	selections: new Set(),
	status: { text: '', busy: false, detail: undefined, severity: 0, command: undefined },
};

/** Brings a document to the front. */
export function bringToFront(uri: { toString(): string }): void {
	stubbedFront.editor = { document: { uri } };
	stubbedFront.listeners.forEach((listener) => listener(stubbedFront.editor));
}

/** Nothing is in front. */
export function resetFront(): void {
	stubbedFront.editor = undefined;
	stubbedFront.listeners.clear();
	stubbedFront.selections.clear();
	Object.assign(stubbedFront.status, { text: '', busy: false, detail: undefined, severity: 0, command: undefined });
}
