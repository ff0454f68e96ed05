import type { DraftView } from '../../protocol/ticketProtocol.ts';
import { keptRecord } from '../keptRecord.ts';

/** Where on the page somebody reads: an entry, and how far its top is below the top of the window. */
export interface ReadingPlace {
	/** 0 when it is the head of the page, and `top` is then how far it is scrolled. */
	readonly entryId: number;
	readonly top: number;
}

/** What the page keeps over a reload: how it is looked at and what was typed, nothing that the host knows. */
export interface Kept {
	readonly draft: DraftView;
	/** The host has the draft, and knows better what became of it. */
	readonly isGiven: boolean;
	/** The move chosen last, by its key. */
	readonly move: string | undefined;
	readonly place: ReadingPlace | undefined;
}

/** Reads what an earlier life of the page kept; whatever does not fit is as if it had not been kept. */
export function keptFrom(value: unknown): Kept {
	const { draft, isGiven, move, place } = keptRecord(value);
	const { text, atMs } = keptRecord(draft);
	const { entryId, top } = keptRecord(place);
	return {
		draft: { text: typeof text === 'string' ? text : '', atMs: typeof atMs === 'number' ? atMs : 0 },
		isGiven: isGiven === true,
		move: typeof move === 'string' ? move : undefined,
		place: typeof entryId === 'number' && typeof top === 'number' ? { entryId, top } : undefined,
	};
}
