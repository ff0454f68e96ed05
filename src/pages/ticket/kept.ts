import type { DraftView } from '../protocol/ticketProtocol.ts';
import { fieldsOf } from '../../base/looseJson.ts';

/** Reading position: an entry, and the distance of its top from the top of the window. */
export interface ReadingPlace {
	/** 0 for the top of the page; then `top` is the scroll position. */
	readonly entryId: number;
	readonly top: number;
}

/** Page state saved over a reload; excludes the host's data. */
export interface Kept {
	readonly draft: DraftView;
	/** The host has the draft, and its version takes precedence. */
	readonly isGiven: boolean;
	/** Key of the last chosen status change. */
	readonly move: string | undefined;
	readonly place: ReadingPlace | undefined;
}

/** Ignores invalid saved state. */
export function keptFrom(value: unknown): Kept {
	const { draft, isGiven, move, place } = fieldsOf(value);
	const { text, atMs } = fieldsOf(draft);
	const { entryId, top } = fieldsOf(place);
	return {
		draft: { text: typeof text === 'string' ? text : '', atMs: typeof atMs === 'number' ? atMs : 0 },
		isGiven: isGiven === true,
		move: typeof move === 'string' ? move : undefined,
		place: typeof entryId === 'number' && typeof top === 'number' ? { entryId, top } : undefined,
	};
}
