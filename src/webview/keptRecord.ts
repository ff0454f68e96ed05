/** The fields of what an earlier life of a page kept, to be looked at one by one; none where it is something else. */
export function keptRecord(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
