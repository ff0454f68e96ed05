import { pushAll } from '@forge-desk/base/longArrays.ts';
/** Sort keys of a mail. */
export interface ThreadItem {
	readonly id: number;
	readonly parentId: number | undefined;
	readonly createdMs: number;
}

/** A mail at its place in a conversation. */
export interface PlacedMail<T extends ThreadItem> {
	readonly mail: T;
	/** The mail that it replies to, if present. */
	readonly parent: T | undefined;
	/** Number of ancestors. */
	readonly depth: number;
}

/**
 * Sorts mails for reading: each followed by its replies, oldest first. A reply without its parent becomes a root.
 * Returns every mail once, even in a reply cycle.
 */
export function threadOrder<T extends ThreadItem>(mails: readonly T[]): readonly PlacedMail<T>[] {
	const sorted = mails.toSorted((a, b) => a.createdMs - b.createdMs || a.id - b.id);
	const byId = new Map(sorted.map((mail) => [mail.id, mail]));
	const answers = Map.groupBy(sorted, ({ id, parentId }) =>
		parentId !== undefined && parentId !== id && byId.has(parentId) ? parentId : 0,
	);
	const placed: PlacedMail<T>[] = [];
	const done = new Set<number>();

	function place(roots: readonly T[]): void {
		const open = roots.toReversed().map((mail): PlacedMail<T> => ({ mail, parent: undefined, depth: 0 }));
		for (let next = open.pop(); next; next = open.pop()) {
			const { mail, depth } = next;
			if (!done.has(mail.id)) {
				done.add(mail.id);
				placed.push(next);
				const below = answers.get(mail.id) ?? [];
				pushAll(
					open,
					below.toReversed().map((each) => ({ mail: each, parent: mail, depth: depth + 1 })),
				);
			}
		}
	}

	place(answers.get(0) ?? []);
	for (const mail of sorted) {
		if (!done.has(mail.id)) {
			place([mail]);
		}
	}
	return placed;
}
