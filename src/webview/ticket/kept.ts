import type { DraftView } from '../../protocol/ticketProtocol.ts';

/** What the page keeps over a reload: how it is looked at and what was typed, nothing that the host knows. */
export interface Kept {
	readonly draft: DraftView;
	readonly order: 'oldest' | 'newest';
	/** The resolution chosen last, by its word. */
	readonly resolution: string | undefined;
}

/** Reads what an earlier life of the page kept; whatever does not fit is as if it had not been kept. */
export function keptFrom(value: unknown): Kept {
	const { draft, order, resolution } = record(value);
	const { text, atMs } = record(draft);
	return {
		draft: { text: typeof text === 'string' ? text : '', atMs: typeof atMs === 'number' ? atMs : 0 },
		order: order === 'newest' ? 'newest' : 'oldest',
		resolution: typeof resolution === 'string' ? resolution : undefined,
	};
}

function record(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
