/** The language status item of the active document. */
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

/** The active text editor, and the status item of its document. */
export const stubbedFront: StubbedFront = {
	editor: undefined,
	listeners: new Set(),
	selections: new Set(),
	status: { text: '', busy: false, detail: undefined, severity: 0, command: undefined },
};

/** Activates a document. */
export function bringToFront(uri: { toString(): string }): void {
	stubbedFront.editor = { document: { uri } };
	stubbedFront.listeners.forEach((listener) => listener(stubbedFront.editor));
}

/** No active editor. */
export function resetFront(): void {
	stubbedFront.editor = undefined;
	stubbedFront.listeners.clear();
	stubbedFront.selections.clear();
	Object.assign(stubbedFront.status, { text: '', busy: false, detail: undefined, severity: 0, command: undefined });
}
