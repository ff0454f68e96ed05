/** Fields of a page's saved state, to be validated one by one; empty for anything else. */
export function keptRecord(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
