import { isAbort } from '../../../base/abort.ts';
import { isForgeError } from '../../../forge/port/forgeError.ts';
import { isHopeless } from '../../../forge/port/isHopeless.ts';
import type { Ticket } from '../../../forge/port/ticket.ts';
import type { Deviation, TicketRequest } from '../../../forge/port/ticketRequest.ts';
import type { WriteOutcome } from '../../../store/tickets/writing/writeOutcome.ts';
import type { TicketSubject } from '../subjects/subjects.ts';

/** Concurrent writes. */
const atOnce = 4;

/** One ticket of a bulk action with its change. */
export interface BulkItem {
	readonly subject: TicketSubject;
	readonly wish: TicketRequest;
	/** Part of the choice missing from the change, with the reason as a sentence; shown with the outcome. */
	readonly leftOut?: string;
}

/** Outcome of one ticket of a bulk action. */
export type ItemOutcome =
	/** The server's state; `wasLost` if only a later read confirmed the write. */
	| {
			readonly kind: 'done';
			readonly ticket: Ticket;
			readonly before: Ticket | undefined;
			/** With `wasLost`: changes of others that the write reverted. */
			readonly deviations: readonly Deviation[];
			readonly wasLost: boolean;
			/** Already in the wanted state; nothing sent. */
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
	/** Others changed it since; their change stays. */
	| { readonly kind: 'leftAlone' };

export interface ItemResult {
	readonly item: BulkItem;
	readonly outcome: ItemOutcome;
}

export interface BulkWork {
	readonly write: (item: BulkItem) => Promise<WriteOutcome>;
	/** Called after each ticket. */
	readonly step: () => void;
	/** After an abort no new write starts; running writes finish. */
	readonly cancelled: AbortSignal;
}

/**
 * Writes to many tickets, a few at a time after the first one of the account succeeded, so that questions about the
 * account appear once. Returns one outcome per ticket in input order. If no further write can succeed (signed out, rate
 * limit, forge unreachable), skips the rest.
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

/** Converts a single write's outcome. */
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

/** Items safe to retry: certainly not written, and not refused for their content. */
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
