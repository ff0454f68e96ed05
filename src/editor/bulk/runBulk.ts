import { isAbort } from '@forge-desk/base/abort.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { isHopeless } from 'sourcehut/port/isHopeless.ts';

/** A thing in an account. */
export interface BulkSubject {
	readonly connectionKey: string;
}

/** One thing of a bulk change with its own change. */
export interface BulkItem<Subject, Wish> {
	readonly subject: Subject;
	readonly wish: Wish;
	/** Part of the choice missing from the change, with the reason as a sentence; shown with the outcome. */
	readonly leftOut?: string;
}

/** Outcome of one item. `Done`: facts about a success. */
export type BulkOutcome<Wish, Done> =
	/** The server's state; `wasLost` if only a later read confirmed the write. */
	| (Done & { readonly kind: 'done'; readonly wasLost: boolean })
	| { readonly kind: 'refused'; readonly error: unknown }
	/** The answer was lost and `left` is not there. */
	| { readonly kind: 'missing'; readonly left: Wish; readonly error: unknown }
	/** It may or may not be there. */
	| { readonly kind: 'unclear'; readonly error: unknown }
	| { readonly kind: 'notTried' }
	/** Nothing was to be done, and why. */
	| { readonly kind: 'needless'; readonly reason: string }
	/** Not sent: others changed it since, and their change stays. */
	| { readonly kind: 'leftAlone'; readonly reason: string }
	/** Not sent yet: the outbox has it. */
	| { readonly kind: 'queued'; readonly reason: string }
	/** Not sent: its current state failed to load. */
	| { readonly kind: 'unread'; readonly error: unknown };

export interface BulkResult<Subject, Wish, Done> {
	readonly item: BulkItem<Subject, Wish>;
	readonly outcome: BulkOutcome<Wish, Done>;
}

/**
 * Writes many items, a few at a time after the first one of the account succeeded, so that questions about the account
 * appear once. Returns one outcome per item in input order. If no further write to an account can succeed (signed out,
 * rate limit, forge unreachable), skips its rest. After `cancelled`, no new write starts; running writes finish.
 */
export async function runBulk<Subject extends BulkSubject, Wish, Done>(
	items: readonly BulkItem<Subject, Wish>[],
	atOnce: number,
	write: (item: BulkItem<Subject, Wish>) => Promise<BulkOutcome<Wish, Done>>,
	step: () => void,
	cancelled: AbortSignal,
): Promise<readonly BulkResult<Subject, Wish, Done>[]> {
	const outcomes = new Map<BulkItem<Subject, Wish>, BulkOutcome<Wish, Done>>();
	const firstOfAccount = new Map<string, Promise<void>>();
	const over = new Set<string>();
	const waiting = items.values();

	async function work(): Promise<void> {
		for (const item of waiting) {
			const { connectionKey } = item.subject;
			const first = firstOfAccount.get(connectionKey);
			if (first) {
				await first;
			}
			if (cancelled.aborted) {
				return;
			}
			if (over.has(connectionKey)) {
				continue;
			}
			const trying = tried(item);
			if (!first) {
				firstOfAccount.set(connectionKey, trying);
			}
			await trying;
		}
	}

	async function tried(item: BulkItem<Subject, Wish>): Promise<void> {
		const outcome = await write(item).catch((error: unknown) =>
			isAbort(error) ? ({ kind: 'notTried' } as const) : ({ kind: 'refused', error } as const),
		);
		if (isLast(outcome)) {
			over.add(item.subject.connectionKey);
		}
		outcomes.set(item, outcome);
		step();
	}

	await Promise.all(Array.from({ length: atOnce }, work));
	return items.map((item) => ({ item, outcome: outcomes.get(item) ?? { kind: 'notTried' } }));
}

/** Items safe to retry: certainly not written, and not refused for their content. */
export function itemsToTryAgain<Subject, Wish, Done>(
	results: readonly BulkResult<Subject, Wish, Done>[],
): readonly BulkItem<Subject, Wish>[] {
	return results.flatMap(({ item, outcome }) => {
		switch (outcome.kind) {
			case 'missing':
				return [{ ...item, wish: outcome.left }];
			case 'notTried':
				return [item];
			case 'refused':
				return isForgeError(outcome.error) && isHopeless(outcome.error) ? [item] : [];
			case 'done':
			case 'unclear':
			case 'needless':
			case 'leftAlone':
			case 'queued':
			case 'unread':
				return [];
		}
	});
}

/**
 * True if no further write to the account can succeed, or if neither the write nor the look for it came through: more
 * writes would be as uncertain.
 */
function isLast(outcome: BulkOutcome<unknown, object>): boolean {
	switch (outcome.kind) {
		case 'refused':
		case 'unread':
			return isHopeless(outcome.error);
		case 'notTried':
			return true;
		case 'unclear':
			return isForgeError(outcome.error) && outcome.error.problem.kind === 'unreachable';
		case 'done':
		case 'missing':
		case 'needless':
		case 'leftAlone':
		case 'queued':
			return false;
	}
}
