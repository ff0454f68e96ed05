import type { Clock } from '../../../base/clock.ts';

/** Hands a piece of a page on when the page does not know it yet. */
export type IfNew = <T>(piece: string, view: T) => T | undefined;

export interface PieceTellerParts<Change extends object> {
	/** What the page shows now, each piece only if it is new. */
	readonly now: (ifNew: IfNew) => Change;
	readonly tell: (change: Change) => void;
	readonly clock: Pick<Clock, 'after'>;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** Tells a page whatever is different from what it was told before. */
export interface PieceTeller<Change> {
	/** Everything, for a page that knows nothing. */
	all(): Change;
	/** Something may be different; all that happens in one turn is told at once. */
	changed(): void;
}

/** Pieces are plain JSON; they are compared as such. */
export function pieceTeller<Change extends object>(parts: PieceTellerParts<Change>): PieceTeller<Change> {
	const told = new Map<string, string>();
	let isTelling = false;

	function ifNew<T>(piece: string, view: T): T | undefined {
		const said = JSON.stringify(view);
		if (told.get(piece) === said) {
			return undefined;
		}
		told.set(piece, said);
		return view;
	}

	return {
		all() {
			told.clear();
			return parts.now(ifNew);
		},
		changed() {
			if (isTelling) {
				return;
			}
			isTelling = true;
			parts.clock.after(0, () => {
				isTelling = false;
				if (parts.signal.aborted) {
					return;
				}
				const change = parts.now(ifNew);
				if (Object.values(change).some((piece) => piece !== undefined)) {
					parts.tell(change);
				}
			});
		},
	};
}
