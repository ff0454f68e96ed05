import type { KeptTexts } from '../../src/state/shared/keptReadings.ts';

/** A disk in memory, that several windows of a test share; tests look at what is on it, and change it. */
export interface TextsInMemory extends KeptTexts {
	readonly texts: Map<string, string>;
}

/** Keeps at once what is handed to it, and removes what is refused when it is read. */
export function textsInMemory(): TextsInMemory {
	const texts = new Map<string, string>();
	return {
		texts,
		async read(name, open) {
			const text = texts.get(name);
			try {
				return await Promise.resolve(text === undefined ? undefined : open(text));
			} catch {
				texts.delete(name);
				return undefined;
			}
		},
		drop: (name) => void texts.delete(name),
		keep(name, { text, isNewer }) {
			const late = isNewer || !texts.has(name) ? text() : undefined;
			if (late !== undefined) {
				texts.set(name, late);
			}
		},
	};
}
