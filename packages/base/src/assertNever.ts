/** Compile-time check for exhaustive switches. Throws for an unexpected value at run time. */
export function assertNever(value: never): never {
	throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
