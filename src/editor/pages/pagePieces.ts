/** Passes a piece of a page on when the page does not know it yet. */
export type IfNew = <T>(piece: string, view: T) => T | undefined;

/** Sent pieces of a page, by name. Pieces are plain JSON and compared as such. */
export function pagePieces() {
	const known = new Map<string, string>();
	return {
		ifNew<T>(piece: string, view: T): T | undefined {
			const text = JSON.stringify(view);
			if (known.get(piece) === text) {
				return undefined;
			}
			known.set(piece, text);
			return view;
		},
		/** The page has some version of this piece. */
		knows: (piece: string) => known.has(piece),
		/** The page has forgotten this piece. True when it knew it. */
		forget: (piece: string) => known.delete(piece),
		forgetAll: () => known.clear(),
	};
}
