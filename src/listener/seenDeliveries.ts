/** What is remembered of deliveries, to be kept over a restart. Oldest first. */
export interface SeenDeliveries {
	readonly nonces: readonly string[];
	/** Each with the path at which it came. */
	readonly ids: readonly string[];
}

/** Remembers the newest texts. */
export interface RememberedTexts {
	/** True when the text was there already; it is the newest then, too. */
	seenBefore(text: string): boolean;
	/** Oldest first. */
	all(): readonly string[];
}

/** How many are remembered: as many as a forge can send in a while, and little memory. */
export const mostRemembered = 10_000;

export function rememberTexts(before: readonly string[], most: number): RememberedTexts {
	// A set keeps the order in which its texts came.
	const texts = new Set(before.slice(-most));
	return {
		seenBefore(text) {
			const wasSeen = texts.delete(text);
			texts.add(text);
			if (texts.size > most) {
				const [oldest = ''] = texts;
				texts.delete(oldest);
			}
			return wasSeen;
		},
		all: () => [...texts],
	};
}
