import type { KeptText } from '../../src/state/shared/keptText.ts';

/** A text kept in memory. */
export function keptInMemory(text?: string): KeptText {
	let kept = text;
	return {
		read: () => kept,
		write: async (next) => {
			kept = next;
		},
	};
}
