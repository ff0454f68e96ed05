/* Tolerant readers for our own stored data, which may be old or damaged. */

/** Parsed JSON; `undefined` for invalid JSON. */
export function jsonIn(text: unknown): unknown {
	try {
		return typeof text === 'string' ? JSON.parse(text) : undefined;
	} catch {
		return undefined; // Not ours; the next write replaces it.
	}
}

/** The fields of an object; empty for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Limit of valid dates: formatting a later one throws. JSON parses `1e999` as Infinity. */
const latestMs = 8.64e15;

/** True for valid date milliseconds. */
export function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= latestMs;
}
