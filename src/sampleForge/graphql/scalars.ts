/** RFC 3339 with as many digits of a second as there are, none when it is whole (docs/protocol.md#graphql-values). */
export function time(timeMs: number): string {
	return new Date(timeMs).toISOString().replace(/\.?0*Z$/, 'Z');
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id that no other thing of the forge has: 26 characters of base 32 over the 128 bits of a UUID, version 7. */
export function ridOf(kind: 'tracker' | 'list' | 'repository' | 'project', id: number, createdMs: number): string {
	const kinds = { tracker: 1n, list: 2n, repository: 3n, project: 4n };
	const version = 7n << 76n;
	const variant = 2n << 62n;
	let bits = (BigInt(createdMs) << 80n) | version | (kinds[kind] << 64n) | variant | BigInt(id);
	// Of 26 times five bits the last two are over.
	bits <<= 2n;
	return Array.from({ length: 26 }, (_, at) => letters[Number((bits >> BigInt(5 * (25 - at))) & 31n)]).join('');
}

/** Whether a text could be such an id at all. */
export function isRid(text: string): boolean {
	return /^[0-9a-hjkmnp-tv-z]{26}$/.test(text);
}
