/** The fields of an object; none for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? value : {};
}

/** Beyond this a number of milliseconds is no date, and asking for its words throws. JSON reads `1e999` as infinite. */
const latestMs = 8.64e15;

/** True for milliseconds that are a date. */
export function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= latestMs;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}
