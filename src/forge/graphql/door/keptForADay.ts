const dayMs = 86_400_000;

/**
 * True within a day of learning: an update may have changed the server since. After the clock was set back, facts from
 * the future expire.
 */
export function isKeptForADay(learntMs: number, nowMs: number): boolean {
	return learntMs <= nowMs && nowMs - learntMs < dayMs;
}
