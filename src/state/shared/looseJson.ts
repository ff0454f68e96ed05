/* Tolerant readers for our own stored data, which may be old or damaged. */

/** Parsed JSON; `undefined` for invalid JSON. */
export function jsonIn(text: unknown): unknown {
	try {
		return typeof text === 'string' ? JSON.parse(text) : undefined;
	} catch {
		return undefined; // Not ours; the next write replaces it.
	}
}

/** A field of an object; `undefined` for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
