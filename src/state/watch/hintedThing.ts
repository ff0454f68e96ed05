import type { DeliveryHint } from '../../forge/deliveryHint.ts';
import { isRefused } from '../../forge/isAway.ts';

/** One thing that a delivery names and that can be read again. */
export interface HintedThing {
	/** The same for the same thing. */
	readonly key: string;
	/** How often it is polled at the fastest. */
	readonly everyMs: number;
	/** How long to wait for more deliveries of the same change before it is read. */
	readonly settleMs?: number;
	/** Its server is another one than the tickets'. */
	readonly isApart: boolean;
	/** It was last named at `sinceMs`. Returns what has to be read because of what was found. */
	read(sinceMs: number, signal: AbortSignal): Promise<readonly DeliveryHint[]>;
}

/** A request is about to be sent. */
export interface HintedSpending {
	readonly spend: () => void;
}

/** Nothing more has to be read. */
export const nothingMore: readonly DeliveryHint[] = [];

/** Reads a thing again. False where the forge refuses it. */
export async function answered(reading: Promise<unknown>): Promise<boolean> {
	try {
		await reading;
		return true;
	} catch (error) {
		if (!isRefused(error)) {
			throw error;
		}
		return false;
	}
}

/** Reads a thing again. Where it is refused, it may be gone: what tells so, such as `all` of its kind, is read. */
export async function orGone(
	reading: Promise<unknown>,
	all: readonly DeliveryHint[],
): Promise<readonly DeliveryHint[]> {
	return (await answered(reading)) ? nothingMore : all;
}
