/** Deep equality of plain objects, arrays, strings and numbers; ignores field order. */
export function isSameValue(one: unknown, other: unknown): boolean {
	return one === other || (Array.isArray(one) === Array.isArray(other) && areSameFields(one, other));
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Deep equality of two objects, optionally without one field. `undefined` equals a missing field. Hand-written, because
 * it compares thousands of tickets at a time.
 */
export function areSameFields(one: unknown, other: unknown, but?: string): boolean {
	if (!isObject(one) || !isObject(other)) {
		return false;
	}
	for (const name of Object.keys(one)) {
		if (name !== but && !isSameValue(one[name], other[name])) {
			return false;
		}
	}
	for (const name of Object.keys(other)) {
		if (one[name] === undefined && other[name] !== undefined && name !== but) {
			return false;
		}
	}
	return true;
}

function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null;
}
