import type * as v from 'valibot';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { keptIn } from '../shared/keptText.ts';

/** One item on disk. */
export interface OutboxFile {
	readonly id: string;
	readonly order: number;
	readonly text: string;
	/** A living process holds it: this window or another one. */
	readonly isHeld: boolean;
}

/**
 * Storage of a queue, shared by all windows. Only the holder of an item changes or removes it, and only one process
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

/** An item of a queue. `id` is unique in the queue, and `order` is its position. */
export type ItemOf<Content> = Content & { readonly id: string; readonly order: number };

/** Exclusive access to one item. Ends with `release` or `remove`. */
export interface HeldItem<Content> {
	item(): ItemOf<Content>;
	/** Resolves when the disk has it. */
	change(changes: Partial<Content>): Promise<void>;
	release(): void;
	remove(): void;
}

/** Items that survive kills, one file each. `schema`: of their content. */
export type SharedQueue<Content> = ReturnType<typeof sharedQueue<Content>>;

export function sharedQueue<Content>(place: OutboxPlace, schema: v.GenericSchema<unknown, Content>) {
	type Item = ItemOf<Content>;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	owned.add(place.onDidChange(tell));
	let isOver = false;
	let snapshot = items();
	owned.add(onDispose(() => (isOver = true)));

	function items(): readonly Item[] {
		return place
			.all()
			.flatMap(({ id, order, text }) => readItem(id, order, text) ?? [])
			.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
	}

	function readItem(id: string, order: number, text: string): Item | undefined {
		const read = keptIn<Content | undefined>(text, schema, undefined);
		return read && { ...read, id, order };
	}

	function tell(): void {
		snapshot = items();
		changed.fire();
	}

	return {
		/** In sending order, read from the disk. */
		items,
		/** The same as of the last change, for views. */
		shown: () => snapshot,
		/** Resolves when the item is safe on disk; rejects if the disk refuses. */
		async add(id: string, content: Content): Promise<void> {
			const order = maxOf([0, ...place.all().map((each) => each.order)]) + 1;
			await place.add(order, id, JSON.stringify(content));
			tell();
		},
		/** `undefined` if another window or the sender holds the item, or it is gone. */
		hold(id: string): HeldItem<Content> | undefined {
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
					const { id: _, order: __, ...content } = next;
					await place.rewrite(id, JSON.stringify(content));
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
		},
		has: (id: string) => place.all().some((each) => each.id === id),
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}
