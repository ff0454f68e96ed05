/** A part with its own loading and error state. */
export type ReadPart<T> =
	| { readonly kind: 'reading' }
	| { readonly kind: 'known'; readonly value: T }
	/** The original error; `src/editor/ask/problems.ts` formats it. */
	| { readonly kind: 'failed'; readonly error: unknown };
