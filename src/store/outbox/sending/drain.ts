import type { Clock } from '@forge-desk/base/clock.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { type ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import type { Background } from '../../background/backgroundLoop.ts';
import { doubling, schedule } from '../../background/schedule.ts';
import type { HeldItem, ItemOf, SharedQueue } from '../sharedQueue.ts';

/** Sends the items of a queue in their order, one at a time, as a background task and on command. */
export type Drain = ReturnType<typeof drain>;

/**
 * `isActive`: whether this window sends in the background. `laneOf`: an item that stays stops the later ones of its
 * lane. `sendOne` resolves to true when the item has left the queue, and rejects if all later items would fail too. A
 * server may fail at one item only, so its error comes after all items.
 */
export function drain<Content>(
	{
		queue,
		background,
		area,
		clock,
	}: {
		readonly queue: SharedQueue<Content>;
		readonly background: Background;
		readonly area: ContentArea;
		readonly clock: Clock;
	},
	isActive: () => boolean,
	isSendable: (item: ItemOf<Content>) => boolean,
	laneOf: (item: ItemOf<Content>) => string,
	sendOne: (held: HeldItem<Content>, signal: AbortSignal) => Promise<boolean>,
) {
	const owned = new Disposables();
	const ending = new AbortController();
	owned.add(onDispose(() => ending.abort()));
	const retries = schedule(clock, clock.nowMs(), doubling(15_000, 10 * 60_000));
	let turn: Promise<void> = Promise.resolve();
	let hasSendable = queue.items().some(isSendable);

	owned.add(
		queue.onDidChange(() => {
			const had = hasSendable;
			hasSendable = queue.items().some(isSendable);
			if (hasSendable && !had) {
				retries.hurry();
			}
			background.loop.plan();
		}),
	);
	owned.add(
		background.loop.add({
			tasks: () =>
				hasSendable && isActive()
					? [
							{
								dueMs: retries.dueMs,
								area,
								// The user has already asked for these writes.
								isTold: true,
								read: drainInTurn,
								failed: () => retries.failed(),
							},
						]
					: [],
			hurry: () => retries.hurry(),
		}),
	);

	/** Two drains of one window never overlap. Windows exclude each other by holding items. */
	function drainInTurn(signal: AbortSignal): Promise<void> {
		const mine = turn.then(() => drainNow(AbortSignal.any([signal, ending.signal])));
		turn = mine.catch(() => undefined);
		return mine;
	}

	async function drainNow(signal: AbortSignal): Promise<void> {
		const stopped = new Set<string>();
		let failure: ForgeError | undefined;
		for (const item of queue.items()) {
			signal.throwIfAborted();
			const lane = laneOf(item);
			const held = stopped.has(lane) || !isSendable(item) ? undefined : queue.hold(item.id);
			let isRemoved = false;
			try {
				isRemoved = held !== undefined && (await sendOne(held, signal));
			} catch (error) {
				if (!isForgeError(error) || error.problem.kind !== 'serverError' || (error.problem.status ?? 500) !== 500) {
					throw error;
				}
				failure ??= error;
			} finally {
				if (held && queue.has(item.id)) {
					held.release();
				}
			}
			if (!isRemoved) {
				stopped.add(lane);
			}
		}
		if (failure !== undefined) {
			throw failure;
		}
		if (queue.items().some(isSendable)) {
			retries.failed();
		}
	}

	return {
		/** Sends now, by the user's command. Rejects if `sendOne` does. */
		sendNow(signal: AbortSignal) {
			background.loop.endOwnRests();
			return drainInTurn(signal);
		},
		dispose: () => owned.dispose(),
	};
}
