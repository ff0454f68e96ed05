import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/forgeError.ts';
import { isHopeless } from '../../../forge/isHopeless.ts';
import type { Ticket } from '../../../forge/ticket.ts';
import type { Deviation, TicketRequest } from '../../../forge/ticketRequest.ts';
import type { WriteOutcome } from '../../../state/tickets/writing/writeOutcome.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

/** How many tickets are written to at the same time. */
const atOnce = 4;

/** One ticket of many, and what is to be done with it. */
export interface BulkItem {
	readonly subject: TicketSubject;
	readonly wish: TicketRequest;
	/** What was chosen and is not in the wish, and why, as a sentence; told with what becomes of the rest. */
	readonly leftOut?: string;
}

/** What became of one ticket of many. */
export type ItemOutcome =
	/** It is as the server says; `wasLost` when that was seen only by looking. */
	| {
			readonly kind: 'done';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			/** Where `wasLost`, what it took from others. */
			readonly deviations: readonly Deviation[];
			readonly wasLost: boolean;
			/** It was so already, and nothing was sent. */
			readonly isNeedless?: true;
	  }
	| { readonly kind: 'refused'; readonly error: unknown }
	/** The answer was lost and `left` is not there. */
	| { readonly kind: 'missing'; readonly left: TicketRequest; readonly error: unknown }
	/** It may or may not be there. */
	| { readonly kind: 'unclear'; readonly error: unknown }
	| { readonly kind: 'notTried' }
	/** Nothing was to be done, and why. */
	| { readonly kind: 'needless'; readonly reason: string }
	/** Somebody has changed it since, and keeps their change. */
	| { readonly kind: 'leftAlone' };

export interface ItemResult {
	readonly item: BulkItem;
	readonly outcome: ItemOutcome;
}

/** How many are written to. */
export interface BulkWork {
	readonly write: (item: BulkItem) => Promise<WriteOutcome>;
	/** Called after each ticket. */
	readonly step: () => void;
	/** Nothing new is begun once it is aborted; what was sent is waited for. */
	readonly cancelled: AbortSignal;
}

/**
 * Writes to many tickets, a few at a time once the first of the account has gone through: whatever the account has to be
 * asked about is then asked once. Every ticket gets an outcome of its own, in the order in which they came. When
 * nothing more can succeed, because nobody is signed in, the forge asks for rest or cannot be reached, the others are not tried.
 */
export async function runBulk(
	items: readonly BulkItem[],
	{ write, step, cancelled }: BulkWork,
): Promise<readonly ItemResult[]> {
	const outcomes = new Map<BulkItem, ItemOutcome>();
	const firstOfAccount = new Map<string, Promise<void>>();
	const waiting = items.values();
	let isOver = false;

	async function work(): Promise<void> {
		for (const item of waiting) {
			const { connectionKey } = item.subject;
			const first = firstOfAccount.get(connectionKey);
			if (first) {
				await first;
			}
			if (isOver || cancelled.aborted) {
				return;
			}
			const trying = tried(item);
			if (!first) {
				firstOfAccount.set(connectionKey, trying);
			}
			await trying;
		}
	}

	async function tried(item: BulkItem): Promise<void> {
		try {
			const outcome = itemOutcome(await write(item));
			isOver ||= isInTheDark(outcome);
			outcomes.set(item, outcome);
		} catch (error) {
			isOver ||= isHopeless(error);
			outcomes.set(item, isAbort(error) ? { kind: 'notTried' } : { kind: 'refused', error });
		}
		step();
	}

	await Promise.all(Array.from({ length: atOnce }, work));
	return items.map((item) => ({ item, outcome: outcomes.get(item) ?? { kind: 'notTried' } }));
}

/** How a write ended, told as one of many. */
export function itemOutcome(outcome: WriteOutcome): ItemOutcome {
	switch (outcome.kind) {
		case 'done':
			return { ...outcome, wasLost: false };
		case 'arrived':
			return { ...outcome, kind: 'done', deviations: outcome.deviations ?? [], wasLost: true };
		case 'missing':
			return { kind: 'missing', left: outcome.left, error: outcome.error };
		case 'unclear':
			return outcome;
	}
}

/** What may be sent again because it is certainly not there, and was not refused for what it is. */
export function itemsToTryAgain(results: readonly ItemResult[]): readonly BulkItem[] {
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
				return [];
		}
	});
}

/** True when neither the write nor the looks for it came through: more writes would be as uncertain. */
function isInTheDark(outcome: ItemOutcome): boolean {
	return outcome.kind === 'unclear' && isForgeError(outcome.error) && outcome.error.problem.kind === 'unreachable';
}
