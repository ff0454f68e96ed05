/** True when two values made of plain objects, arrays, texts and numbers say the same; the order of fields is nothing. */
export function isSameValue(one: unknown, other: unknown): boolean {
	return one === other || (Array.isArray(one) === Array.isArray(other) && areSameFields(one, other));
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The same for the fields of two objects, all or all but one; false for what is no object. What is undefined on one side may be missing on the other.
 * Thousands of tickets are compared at a time.
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
