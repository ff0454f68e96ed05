/**
 * Plays a world in chronological order, so that ids grow as on a real forge although the plan lists ticket after
 * ticket.
 */
export type Story = ReturnType<typeof createStory>;

export function createStory() {
	const scenes: { readonly timeMs: number; readonly happens: (timeMs: number) => void }[] = [];
	return {
		at: (timeMs: number, happens: (timeMs: number) => void): void => void scenes.push({ timeMs, happens }),
		/** Plays everything, oldest first, and stable within a moment. */
		tell() {
			for (const { timeMs, happens } of scenes.toSorted((a, b) => a.timeMs - b.timeMs)) {
				happens(timeMs);
			}
		},
	};
}
