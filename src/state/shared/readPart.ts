/** Something that is read by itself, so that it fails by itself. */
export type ReadPart<T> =
	| { readonly kind: 'reading' }
	| { readonly kind: 'known'; readonly value: T }
	/** `error` as it was thrown, for `src/editor/ask/problems.ts` to make words of. */
	| { readonly kind: 'failed'; readonly error: unknown };
