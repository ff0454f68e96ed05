/** Passes a piece of a page on when the page does not know it yet. */
export type IfNew = <T>(piece: string, view: T) => T | undefined;

/** Sent pieces of a page, by name. */
export interface PagePieces {
	readonly ifNew: IfNew;
	/** The page has forgotten this piece. True when it knew it. */
	forget(piece: string): boolean;
	forgetAll(): void;
}

/** Pieces are plain JSON and compared as such. */
export function pagePieces(): PagePieces {
	const known = new Map<string, string>();
	return {
		ifNew(piece, view) {
			const text = JSON.stringify(view);
			if (known.get(piece) === text) {
				return undefined;
			}
			known.set(piece, text);
			return view;
		},
		forget: (piece) => known.delete(piece),
		forgetAll: () => known.clear(),
	};
}
