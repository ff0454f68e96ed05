import * as v from 'valibot';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { ticketRefText, type TicketRef } from 'sourcehut/port/ticket.ts';
import { keptIn, time, whole } from '../shared/keptText.ts';
import { queuedWrite, statusFacts, type WriteOf } from '../shared/writeRecord.ts';

/** Status and resolution. Only here, changes of two people exclude each other. */
export type StatusFacts = v.InferOutput<typeof statusFacts>;

const queuedItem = v.object({
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

export type QueuedProgress = v.InferOutput<typeof queuedItem>['progress'];

/** A queued write. `id` is unique in the account. */
export interface QueuedItem extends Readonly<v.InferOutput<typeof queuedItem>> {
	readonly id: string;
	/** Position in the queue. */
	readonly order: number;
}

/** A write for the outbox. */
export type QueuedWrite = WriteOf<'ticket' | 'newTicket'>;

/** One item on disk. */
export interface OutboxFile {
	readonly id: string;
	readonly order: number;
	readonly text: string;
	/** A living process holds it: this window or another one. */
	readonly isHeld: boolean;
}

/**
 * Storage of an outbox, shared by all windows. Only the holder of an item changes or removes it, and only one process
 * can hold it. Items of dead holders are free. All writes are flushed before they resolve.
 */
export interface OutboxPlace {
	/** Rejects if the disk refuses. */
	add(order: number, id: string, text: string): Promise<void>;
	all(): readonly OutboxFile[];
	/** Returns the current text; `undefined` if another process was faster, or the item is gone. */
	hold(id: string): string | undefined;
	/** Rejects if the disk refuses, or this process does not hold the item any more. */
	rewrite(id: string, text: string): Promise<void>;
	release(id: string): void;
	/** Removes a held item. */
	remove(id: string): void;
	/** Fires on changes by any window. */
	readonly onDidChange: Event<void>;
}

/** Exclusive access to one item. Ends with `release` or `remove`. */
export interface HeldItem {
	item(): QueuedItem;
	/** Resolves when the disk has it. */
	change(changes: Partial<QueuedItem>): Promise<void>;
	release(): void;
	remove(): void;
}

/**
 * Writes that wait until the forge can be reached (docs/decisions/0042-outbox.md). One file per write. The sender is in
 * `outboxSender.ts`.
 */
export type Outbox = ReturnType<typeof outbox>;

export function outbox(place: OutboxPlace, clock: Clock) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(place.onDidChange(tell));
	let isOver = false;
	let snapshot = items();
	owned.add(onDispose(() => (isOver = true)));

	function items(): readonly QueuedItem[] {
		return place
			.all()
			.flatMap(({ id, order, text }) => readItem(id, order, text) ?? [])
			.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
	}

	function tell(): void {
		snapshot = items();
		changed.fire();
	}

	function hold(id: string): HeldItem | undefined {
		const order = place.all().find((each) => each.id === id)?.order ?? 0;
		const text = isOver ? undefined : place.hold(id);
		if (text === undefined) {
			return undefined;
		}
		const held = readItem(id, order, text);
		if (!held) {
			place.release(id);
			return undefined;
		}
		let now = held;
		return {
			item: () => now,
			async change(changes) {
				const next = { ...now, ...changes };
				await place.rewrite(id, textOf(next));
				now = next;
				tell();
			},
			release() {
				place.release(id);
				tell();
			},
			remove() {
				place.remove(id);
				tell();
			},
		};
	}

	return {
		/** In sending order, read from the disk. */
		items,
		/** The same as of the last change, for views. */
		shown: () => snapshot,
		of: (ref: TicketRef) => items().filter((item) => isOn(item, ref)),
		/** Queues a write. `id`: of its journal entry. Resolves when it is safe on disk; rejects if the disk refuses. */
		async queue(
			id: string,
			write: QueuedWrite,
			basis: StatusFacts | undefined,
			progress: QueuedProgress,
		): Promise<void> {
			const order = maxOf([0, ...place.all().map((each) => each.order)]) + 1;
			const item: QueuedItem = {
				id,
				order,
				write,
				queuedMs: clock.nowMs(),
				progress,
				...(basis ? { basis: { status: basis.status, resolution: basis.resolution } } : {}),
			};
			await place.add(order, id, textOf(item));
			tell();
		},
		/** `undefined` if another window or the sender holds the item, or it is gone. */
		hold,
		has: (id: string) => place.all().some((each) => each.id === id),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** True for a change of this ticket. */
export function isOn({ write }: QueuedItem, ref: TicketRef): boolean {
	return write.kind === 'ticket' && ticketRefText(write.ref).toLowerCase() === ticketRefText(ref).toLowerCase();
}

function textOf({ write, queuedMs, basis, progress }: QueuedItem): string {
	return JSON.stringify({ write, queuedMs, basis, progress });
}

function readItem(id: string, order: number, text: string): QueuedItem | undefined {
	const read = keptIn(text, queuedItem, undefined);
	return read && { ...read, id, order };
}
