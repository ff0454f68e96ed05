/**
 * Plays a world in chronological order, so that ids grow as on a real forge although the plan lists ticket after
 * ticket.
 */
export interface Story {
	at(timeMs: number, happens: (timeMs: number) => void): void;
	/** Plays everything, oldest first, and stable within a moment. */
	tell(): void;
}

export function createStory(): Story {
	const scenes: { readonly timeMs: number; readonly happens: (timeMs: number) => void }[] = [];
	return {
		at: (timeMs, happens) => void scenes.push({ timeMs, happens }),
		tell() {
			for (const { timeMs, happens } of scenes.toSorted((a, b) => a.timeMs - b.timeMs)) {
				happens(timeMs);
			}
		},
	};
}
