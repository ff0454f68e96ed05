/** What is looked at of a document. */
export interface StubbedDocument {
	readonly uri: { toString(): string };
	readonly isDirty: boolean;
	getText(): string;
	save(): Promise<boolean>;
}

/** A change of a document, as the editor tells of it. */
interface StubbedChange {
	readonly document: StubbedDocument;
}

/** The documents that are open in the stubbed editor, and those who hear of changes in them. */
export const stubbedDocuments = {
	open: [] as StubbedDocument[],
	listeners: new Set<(change: StubbedChange) => void>(),
};

/** Somebody typed in a document. */
export function typeIn(document: StubbedDocument): void {
	stubbedDocuments.listeners.forEach((listener) => listener({ document }));
}
