/** The value, or an error if there is none. */
export function need<T>(value: T | null | undefined, refuse: () => Error): T {
	if (value === undefined || value === null) {
		throw refuse();
	}
	return value;
}

/** Throws unless the condition holds. */
export function check(holds: boolean, refuse: () => Error): asserts holds {
	if (!holds) {
		throw refuse();
	}
}

/** True for a text with NUL: databases fail on it. */
export function holdsNul(value: object): boolean {
	return JSON.stringify(value).replaceAll('\\\\', '').includes('\\u0000');
}
