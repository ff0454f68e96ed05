const dayMs = 86_400_000;

/**
 * Whether what was learnt of a server then still counts: for a day, because the server may be another one since. A clock that was put
 * back would keep it for longer.
 */
export function isKeptForADay(learntMs: number, nowMs: number): boolean {
	return learntMs <= nowMs && nowMs - learntMs < dayMs;
}
