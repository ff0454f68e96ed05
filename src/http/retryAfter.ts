/** A delay longer than this is taken for nonsense, and the server is treated as if it had said nothing. */
const longestSaneMs = 366 * 24 * 3600 * 1000;

/** Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds or a date. Nonsense counts as not told. */
export function parseRetryAfter(value: string, nowMs: number): number | undefined {
	if (value === '') {
		return undefined;
	}
	const delayMs = /^\d{1,12}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
	if (Number.isNaN(delayMs) || delayMs > longestSaneMs || value.startsWith('-')) {
		return undefined;
	}
	return Math.max(0, delayMs);
}
