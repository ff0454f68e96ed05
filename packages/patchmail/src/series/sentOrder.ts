/** A mail with its place in the order of arrival. */
export interface Arrived {
	readonly id: number;
	readonly createdMs: number;
}

export function arrivalOrder(a: Arrived, b: Arrived): number {
	return a.createdMs - b.createdMs || a.id - b.id;
}

/** Clocks of senders are wrong, and anyone can write any date. */
const mostApartMs = 24 * 60 * 60_000;

/** Time of sending. `statedMs`: from the mail's header. */
export function sentMs(createdMs: number, statedMs: number | undefined): number {
	return statedMs !== undefined && Math.abs(statedMs - createdMs) <= mostApartMs ? statedMs : createdMs;
}

interface Sent {
	readonly ms: number;
	readonly depth: number;
}

/**
 * Mails by time of sending, and each one after the mail that it answers. Mails of one minute arrive in any order. Mails in
 * a cycle, which a broken mailbox may have, count as first mails. Takes time n·log n.
 */
export function inSentOrder<M extends Arrived>(
	mails: readonly M[],
	{
		parentOf,
		sentMsOf,
		indexOf = () => 0,
	}: {
		readonly parentOf: (mail: M) => M | undefined;
		readonly sentMsOf: (mail: M) => number;
		/** Order of mails with one time. */
		readonly indexOf?: (mail: M) => number;
	},
): readonly M[] {
	const known = new Map<M, Sent>();
	for (const mail of mails) {
		const way = new Set<M>();
		let at: M | undefined = mail;
		while (at && !known.has(at) && !way.has(at)) {
			way.add(at);
			at = parentOf(at);
		}
		let above = at && known.get(at);
		for (const each of [...way].toReversed()) {
			above = { ms: Math.max(sentMsOf(each), above?.ms ?? 0), depth: (above?.depth ?? 0) + 1 };
			known.set(each, above);
		}
	}
	const sent = mails.map((mail) => ({ mail, ...(known.get(mail) ?? { ms: 0, depth: 0 }) }));
	return sent
		.toSorted(
			(one, other) =>
				one.ms - other.ms ||
				one.depth - other.depth ||
				indexOf(one.mail) - indexOf(other.mail) ||
				one.mail.id - other.mail.id,
		)
		.map(({ mail }) => mail);
}
