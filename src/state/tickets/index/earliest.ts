/** What has the earliest time; of several with the same time the first. */
export function earliest<T extends { readonly atMs: number }>(all: readonly T[]): T | undefined {
	let best: T | undefined;
	for (const each of all) {
		if (best === undefined || each.atMs < best.atMs) {
			best = each;
		}
	}
	return best;
}
