import type { GroupedTexts, KeptTexts } from '../../src/store/shared/keptReadings.ts';

/** A disk in memory for several windows of a test; tests inspect and change its content. */
export interface TextsInMemory extends GroupedTexts {
	readonly texts: Map<string, string>;
}

/** Stores immediately, and removes content that fails validation when read. */
export function textsInMemory(): TextsInMemory {
	const texts = new Map<string, string>();
	const groups = new Map<string, Set<string>>();
	const all: KeptTexts = {
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
	return {
		...all,
		texts,
		group(name) {
			const own = groups.get(name) ?? new Set();
			groups.set(name, own);
			return {
				...all,
				keep(each, content) {
					own.add(each);
					all.keep(each, content);
				},
				dropAll: () => own.forEach((each) => all.drop(each)),
			};
		},
	};
}
