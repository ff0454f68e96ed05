/** The used members of a document. */
export interface StubbedDocument {
	readonly uri: { toString(): string };
	readonly isDirty: boolean;
	getText(): string;
	save(): Promise<boolean>;
	/** For documents that a command writes to. */
	insert?(text: string): void;
	/** For documents whose whole text changes. */
	replace?(text: string): void;
}

/** A change event of a document. */
interface StubbedChange {
	readonly document: StubbedDocument;
	/** Changed ranges; missing for documents that a test types in. */
	readonly contentChanges?: readonly {
		readonly range: { readonly start: { readonly line: number; readonly character: number } };
		readonly text: string;
	}[];
}

/** Open documents of the stubbed editor, and listeners to their changes. */
export const stubbedDocuments = {
	open: [] as StubbedDocument[],
	listeners: new Set<(change: StubbedChange) => void>(),
	/** Listeners before a save that settings may change, and after a save. */
	savingListeners: new Set<(change: StubbedChange) => void>(),
	savedListeners: new Set<(document: StubbedDocument) => void>(),
};

/** A document without a file, created on request. */
export function untitledDocument(uri: { toString(): string }): StubbedDocument {
	let text = '';
	const document: StubbedDocument = {
		uri,
		isDirty: true,
		getText: () => text,
		save: () => Promise.resolve(false),
		insert: (more) => (text = more + text),
	};
	stubbedDocuments.open.push(document);
	return document;
}

/** Insertions at the start of documents, and replacements of whole texts. */
export class WorkspaceEdit {
	readonly #inserted: { readonly at: string; readonly text: string }[] = [];
	readonly #replaced: { readonly at: string; readonly text: string }[] = [];

	insert(uri: { toString(): string }, _: unknown, text: string): void {
		this.#inserted.push({ at: uri.toString(), text });
	}

	replace(uri: { toString(): string }, _: unknown, text: string): void {
		this.#replaced.push({ at: uri.toString(), text });
	}

	apply(): void {
		for (const { at, text } of this.#replaced) {
			stubbedDocuments.open.find(({ uri }) => uri.toString() === at)?.replace?.(text);
		}
		for (const { at, text } of this.#inserted) {
			stubbedDocuments.open.find(({ uri }) => uri.toString() === at)?.insert?.(text);
		}
	}
}

/** Saves a document; `change` applies the editor's settings. */
export function saveBySettings(document: StubbedDocument, change: () => void): void {
	change();
	stubbedDocuments.savingListeners.forEach((listener) => listener({ document }));
	stubbedDocuments.savedListeners.forEach((listener) => listener(document));
}

/** The user types in a document. */
export function typeIn(document: StubbedDocument, contentChanges: StubbedChange['contentChanges'] = []): void {
	stubbedDocuments.listeners.forEach((listener) => listener({ document, contentChanges }));
}
