import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import { time, whole } from '../shared/keptText.ts';
import { queuedWrite, statusFacts, type WriteOf } from '../shared/writeRecord.ts';
import { sharedQueue, type HeldItem, type ItemOf, type OutboxPlace } from './sharedQueue.ts';

/** Status and resolution. Only here, changes of two people exclude each other. */
export type StatusFacts = v.InferOutput<typeof statusFacts>;

export const queuedItem = v.object({
	write: queuedWrite,
	queuedMs: time,
	/** The status on the user's screen before a status change; absent when unknown. */
	basis: v.exactOptional(statusFacts),
	progress: v.variant('kind', [
		/** The forge does not have it. */
		v.object({ kind: v.literal('waiting') }),
		/** The request left, or was about to leave. A look decides before anything is sent again. */
		v.object({ kind: v.literal('sent'), sentMs: time, newestEventId: v.exactOptional(whole) }),
		/** Somebody else changed the status meanwhile. `now`: absent when the status behind the change is unknown. */
		v.object({ kind: v.literal('conflict'), now: v.exactOptional(statusFacts) }),
		/** The forge refused it. `reason`: a sentence for the user. */
		v.object({ kind: v.literal('refused'), reason: v.string() }),
		/** Its text is moving back to a draft. */
		v.object({ kind: v.literal('edited') }),
	]),
});

type QueuedContent = Readonly<v.InferOutput<typeof queuedItem>>;
export type QueuedProgress = QueuedContent['progress'];

/** A queued write. */
export type QueuedItem = ItemOf<QueuedContent>;
export type HeldWrite = HeldItem<QueuedContent>;

/** A write for the outbox. */
export type QueuedWrite = WriteOf<'ticket' | 'newTicket'>;

/**
 * Writes that wait until the forge can be reached (docs/decisions/0042-outbox.md). The sender is in `outboxSender.ts`.
 */
export type Outbox = ReturnType<typeof outbox>;

export function outbox(place: OutboxPlace, clock: Clock) {
	const queue = sharedQueue(place, queuedItem);
	return {
		...queue,
		of: (ref: TicketRef) => queue.items().filter((item) => isOn(item, ref)),
		/** Queues a write. `id`: of its journal entry. Resolves when it is safe on disk; rejects if the disk refuses. */
		queue(id: string, write: QueuedWrite, basis: StatusFacts | undefined, progress: QueuedProgress): Promise<void> {
			const known = basis ? { basis: { status: basis.status, resolution: basis.resolution } } : {};
			return queue.add(id, { write, queuedMs: clock.nowMs(), progress, ...known });
		},
	};
}

/** True for a change of this ticket. */
export function isOn({ write }: QueuedItem, ref: TicketRef): boolean {
	return write.kind === 'ticket' && ticketRefText(write.ref).toLowerCase() === ticketRefText(ref).toLowerCase();
}
