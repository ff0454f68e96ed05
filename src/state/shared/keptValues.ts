/** The fields of an object; empty for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? value : {};
}

/** Limit of valid dates: formatting a later one throws. JSON parses `1e999` as Infinity. */
const latestMs = 8.64e15;

/** True for valid date milliseconds. */
export function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= latestMs;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
