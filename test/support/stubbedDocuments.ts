/** What is looked at of a document. */
export interface StubbedDocument {
	readonly uri: { toString(): string };
	readonly isDirty: boolean;
	getText(): string;
	save(): Promise<boolean>;
	/** Of documents in which a command writes. */
	insert?(text: string): void;
	/** Of documents whose whole text is replaced. */
	replace?(text: string): void;
}

/** A change of a document, as the editor tells of it. */
interface StubbedChange {
	readonly document: StubbedDocument;
	/** Where it changed; not told of documents in which a test types. */
	readonly contentChanges?: readonly {
		readonly range: { readonly start: { readonly line: number; readonly character: number } };
		readonly text: string;
	}[];
}

/** The documents that are open in the stubbed editor, and those who hear of changes in them. */
export const stubbedDocuments = {
	open: [] as StubbedDocument[],
	listeners: new Set<(change: StubbedChange) => void>(),
	/** Those who hear that one will be saved by settings that may change it, and that one was saved. */
	savingListeners: new Set<(change: StubbedChange) => void>(),
	savedListeners: new Set<(document: StubbedDocument) => void>(),
};

/** A document without a file, as the editor makes it when it is asked for one. */
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

/** Insertions at the beginnings of documents, and replacements of all that they hold. */
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

/** A document is saved as the editor's settings leave it; `change` is what they do. */
export function saveBySettings(document: StubbedDocument, change: () => void): void {
	change();
	stubbedDocuments.savingListeners.forEach((listener) => listener({ document }));
	stubbedDocuments.savedListeners.forEach((listener) => listener(document));
}

/** Somebody typed in a document. */
export function typeIn(document: StubbedDocument, contentChanges: StubbedChange['contentChanges'] = []): void {
	stubbedDocuments.listeners.forEach((listener) => listener({ document, contentChanges }));
}
