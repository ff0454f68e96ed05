/* Plain values of the editor's API for texts: decorations, links, hovers and completions. */

/** Diagnostics of documents, by collection and URI. */
export const stubbedDiagnostics = new Map<string, Map<string, readonly Diagnostic[]>>();

/** Created decoration types, in order; `setDecorations` gets them later. */
export const stubbedDecorationTypes: StubbedDecorationType[] = [];

interface StubbedDecorationType {
	readonly options: unknown;
	isDisposed: boolean;
	dispose(): void;
}

export function decorationType(options: unknown): StubbedDecorationType {
	const type: StubbedDecorationType = {
		options,
		isDisposed: false,
		dispose() {
			this.isDisposed = true;
		},
	};
	stubbedDecorationTypes.push(type);
	return type;
}

interface Collection {
	set(uri: { toString(): string }, marks: readonly Diagnostic[]): void;
	delete(uri: { toString(): string }): void;
	dispose(): void;
}

export function diagnosticCollection(name: string): Collection {
	const marked = new Map<string, readonly Diagnostic[]>();
	stubbedDiagnostics.set(name, marked);
	return {
		set: (uri, marks) => void marked.set(uri.toString(), marks),
		delete: (uri) => void marked.delete(uri.toString()),
		dispose: () => void stubbedDiagnostics.delete(name),
	};
}

/** Resets everything; for `setup`. */
export function resetText(): void {
	stubbedDiagnostics.clear();
	stubbedDecorationTypes.length = 0;
}

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;

/** A diagnostic of a document. */
export class Diagnostic {
	readonly range: unknown;
	readonly message: string;
	readonly severity: number;
	source: string | undefined;
	constructor(range: unknown, message: string, severity: number = DiagnosticSeverity.Error) {
		this.range = range;
		this.message = message;
		this.severity = severity;
	}
}

/** A link in a document. */
export class DocumentLink {
	readonly range: unknown;
	readonly target: unknown;
	tooltip: string | undefined;
	constructor(range: unknown, target: unknown) {
		this.range = range;
		this.target = target;
	}
}

/** A hover at a position of a document. */
export class Hover {
	readonly contents: unknown;
	readonly range: unknown;
	constructor(contents: unknown, range: unknown) {
		this.contents = contents;
		this.range = range;
	}
}

export const CompletionItemKind = { Keyword: 13, Reference: 17 } as const;

/** A completion. */
export class CompletionItem {
	readonly label: unknown;
	readonly kind: number;
	insertText: unknown;
	filterText: string | undefined;
	sortText: string | undefined;
	range: unknown;
	documentation: unknown;
	constructor(label: unknown, kind: number) {
		this.label = label;
		this.kind = kind;
	}
}

export class CompletionList {
	readonly items: readonly unknown[];
	readonly isIncomplete: boolean;
	constructor(items: readonly unknown[], isIncomplete: boolean) {
		this.items = items;
		this.isIncomplete = isIncomplete;
	}
}
