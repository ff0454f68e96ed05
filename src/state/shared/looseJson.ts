/* Reading what we wrote ourselves, some version ago, into a storage that others may have damaged. */

/** What a text says that was kept; `undefined` for what is no JSON. */
export function jsonIn(text: unknown): unknown {
	try {
		return typeof text === 'string' ? JSON.parse(text) : undefined;
	} catch {
		return undefined; // Not ours; the next write replaces it.
	}
}

/** A field of an object; `undefined` for everything else. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A list's entries; none for everything else. */
export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** A list of numbers; none when there is anything else in it. */
export function numbersOf(value: unknown): readonly number[] {
	const all = listOf(value);
	return all.every((each): each is number => typeof each === 'number') ? all : [];
}
