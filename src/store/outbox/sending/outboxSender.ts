import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { refOfTicket, ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import { isBlank, isMoved, isNothing, type TicketRequest } from 'sourcehut/port/ticketRequest.ts';
import type { Background } from '../../background/backgroundLoop.ts';
import type { JournaledWrite, WriteJournal } from '../../shared/writeJournal.ts';
import type { TicketFacts, WriteRecord } from '../../shared/writeRecord.ts';
import type { TicketStore } from '../../tickets/ticketStore.ts';
import type { TicketWrites } from '../../tickets/writing/ticketWriter.ts';
import { isOn, type HeldWrite, type Outbox, type QueuedItem, type QueuedWrite, type StatusFacts } from '../outbox.ts';
import { isAwayProblem } from '../queueing.ts';
import { drain } from './drain.ts';

/** End of a try to send an item. `made`: the created ticket. */
export type QueueResult =
	| { readonly kind: 'sent'; readonly item: QueuedItem; readonly made?: TicketRef }
	/** The user must decide: a conflict or a refusal. */
	| { readonly kind: 'stopped'; readonly item: QueuedItem };

/** Sends the queued writes of an account. */
export type OutboxSender = ReturnType<typeof outboxSender>;

/**
 * Sends queued writes in their order, one at a time, in the polling window. A conflict or refusal stops later writes
 * to the same ticket, and no others. `explain`: a refusal as a sentence for the user.
 */
export function outboxSender(
	{
		outbox,
		writes,
		journal,
		tickets,
		background,
		clock,
	}: {
		readonly outbox: Outbox;
		readonly writes: TicketWrites;
		readonly journal: WriteJournal;
		readonly tickets: TicketStore;
		readonly background: Background;
		readonly clock: Clock;
	},
	isPolling: () => boolean,
	explain: (error: unknown) => string,
) {
	const owned = new Disposables();
	const ended = owned.add(new Emitter<QueueResult>());
	const draining = owned.add(
		drain({ queue: outbox, background, area: 'todo', clock }, isPolling, isSendable, laneOf, sendOne),
	);

	/** Resolves to true when the item has left the queue. Rejects while the forge is away; the item stays then. */
	async function sendOne(held: HeldWrite, signal: AbortSignal): Promise<boolean> {
		const seen = await lookIfSent(held, signal);
		if (seen !== undefined) {
			return seen;
		}
		const { id, write } = held.item();
		let after: TicketFacts | undefined;
		let rest: QueuedWrite | undefined;
		const entry: JournaledWrite = {
			id,
			persist: ({ newestEventId: known } = {}) =>
				held.change({
					progress: { kind: 'sent', sentMs: clock.nowMs(), ...(known === undefined ? {} : { newestEventId: known }) },
				}),
			// With a rest the progress stays `sent`: a look decides whether the forge lacks it.
			async arrived(part = {}) {
				({ after } = part);
				rest = part.write && restOf(write, part.write);
				await (rest && held.change({ write: rest }));
			},
			failed: () => held.change({ progress: { kind: 'waiting' } }),
			inDoubt: async () => undefined,
		};
		try {
			const conflict = await foreignStatus(held.item(), signal);
			if (conflict) {
				return await stop(held, { kind: 'conflict', now: conflict });
			}
			const outcome = await writes.sendQueued(write, entry, signal);
			switch (outcome.kind) {
				case 'done':
				case 'arrived':
				case 'submitted': {
					const made = write.kind === 'newTicket' ? { made: refOfTicket(outcome.ticket) } : {};
					return rest ? false : await arrived(held, { ...(after ? { after } : {}), ...made });
				}
				case 'missing':
				case 'unclear':
				case 'queued':
					return false;
			}
		} catch (error) {
			const isUnclear = held.item().progress.kind === 'sent' && !rest;
			if (!isForgeError(error) || isAwayProblem(error) || isOfAccount(error) || isUnclear) {
				throw error;
			}
			return stop(held, { kind: 'refused', reason: explain(error) });
		}
	}

	/** True if an earlier request arrived, false if nobody knows, and `undefined` if the item must be sent. */
	async function lookIfSent(held: HeldWrite, signal: AbortSignal): Promise<boolean | undefined> {
		const { id, write, progress } = held.item();
		if (progress.kind !== 'sent') {
			return undefined;
		}
		const { kind: _, ...since } = progress;
		const verdict = await journal.look({ id, write, progress: 'inDoubt', ...since }, signal);
		switch (verdict.kind) {
			case 'there':
				return arrived(held, verdict);
			case 'unknown':
				return false;
			case 'notThere': {
				const rest = restOf(write, verdict.arrived);
				if (!rest) {
					return arrived(held, {});
				}
				await held.change({ write: rest, progress: { kind: 'waiting' } });
				return undefined;
			}
		}
	}

	/** A newer status by somebody else. Sending this item would overwrite it. */
	async function foreignStatus({ write, basis }: QueuedItem, signal: AbortSignal): Promise<StatusFacts | undefined> {
		if (write.kind !== 'ticket' || !write.wish.move) {
			return undefined;
		}
		const { status, resolution } = await tickets.renewTicket(write.ref, signal);
		const isSame = basis?.status === status && basis.resolution === resolution;
		return isSame || isMoved(write.wish.move, { status, resolution }) ? undefined : { status, resolution };
	}

	/** Removes an item. Later status changes of its ticket build on it, so their basis follows first. */
	async function arrived(
		held: HeldWrite,
		{ after, made }: { readonly after?: TicketFacts; readonly made?: TicketRef },
	): Promise<true> {
		const item = held.item();
		if (item.write.kind === 'ticket' && item.write.wish.move && after) {
			const { ref } = item.write;
			for (const later of outbox.items().filter((each) => each.order > item.order && isOn(each, ref))) {
				const next = outbox.hold(later.id);
				await next?.change({ basis: { status: after.status, resolution: after.resolution } });
				next?.release();
			}
		}
		held.remove();
		ended.fire({ kind: 'sent', item, ...(made ? { made } : {}) });
		return true;
	}

	async function stop(held: HeldWrite, progress: QueuedItem['progress']): Promise<false> {
		await held.change({ progress });
		ended.fire({ kind: 'stopped', item: held.item() });
		return false;
	}

	return {
		/** Sends now, by the user's command. Rejects while the forge is away. */
		sendNow: (signal: AbortSignal) => draining.sendNow(signal),
		onDidEnd: ended.event,
		dispose: () => owned.dispose(),
	};
}

/** Items of a lane wait for each other: the writes to one ticket. */
function laneOf({ id, write }: QueuedItem): string {
	return write.kind === 'ticket' ? ticketRefText(write.ref).toLowerCase() : id;
}

function isSendable({ progress }: QueuedItem): boolean {
	return progress.kind === 'waiting' || progress.kind === 'sent';
}

/** Sign-in problems. The items wait for a new token. */
function isOfAccount(error: unknown): boolean {
	const kinds = ['notSignedIn', 'tokenRejected', 'sessionUnreadable'];
	return isForgeError(error) && kinds.includes(error.problem.kind);
}

/** The rest of a write after a part arrived; `undefined` if all did. */
function restOf(write: QueuedWrite, part: WriteRecord | undefined): QueuedWrite | undefined {
	if (!part || write.kind === 'newTicket' || part.kind !== 'ticket') {
		return part ? undefined : write;
	}
	const { comment, move, labels, assignees } = write.wish;
	const rest: TicketRequest = {
		...(isBlank(comment) || part.wish.comment !== undefined ? {} : { comment }),
		...(move && !part.wish.move ? { move } : {}),
		...(labels && !part.wish.labels ? { labels } : {}),
		...(assignees && !part.wish.assignees ? { assignees } : {}),
	};
	return isNothing(rest) ? undefined : { ...write, wish: rest };
}
