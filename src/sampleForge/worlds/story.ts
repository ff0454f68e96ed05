/**
 * A world is told in order of time, so that ids grow as they do on a real forge although tickets are thought up one
 * after the other.
 */
export interface Story {
	at(timeMs: number, happens: (timeMs: number) => void): void;
	/** Lets everything happen, oldest first; what was told first goes first within one moment. */
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
