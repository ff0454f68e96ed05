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
