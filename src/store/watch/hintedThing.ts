import type { DeliveryHint } from '../../forge/port/deliveryHint.ts';
import { isRefused } from '../../forge/port/isAway.ts';

/** A thing that deliveries name and the client can read. */
export interface HintedThing {
	/** Equal keys mean the same thing. */
	readonly key: string;
	/** Shortest poll interval. */
	readonly everyMs: number;
	/** Debounce for deliveries of one change. */
	readonly settleMs?: number;
	/** True if its server is not the ticket server. */
	readonly isApart: boolean;
	/** `sinceMs`: time of the last delivery. Returns follow-up reads. */
	read(sinceMs: number, signal: AbortSignal): Promise<readonly DeliveryHint[]>;
}

/** Call before each request. */
export interface HintedSpending {
	readonly spend: () => void;
}

export const nothingMore: readonly DeliveryHint[] = [];

/** Reads a thing. False if the forge refuses. */
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

/** Reads a thing. After a refusal it may be gone, so the follow-up is `all` of its kind. */
export async function orGone(
	reading: Promise<unknown>,
	all: readonly DeliveryHint[],
): Promise<readonly DeliveryHint[]> {
	return (await answered(reading)) ? nothingMore : all;
}
