/** Closes a switch over a union: a kind that was forgotten does not compile, and one that slips in is named. */
export function assertNever(value: never): never {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
