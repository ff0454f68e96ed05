import type * as v from 'valibot';
import { Emitter, type Event } from '@forge-desk/base/event.ts';
import { Disposables, onDispose } from '@forge-desk/base/lifecycle.ts';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { keptIn } from '../shared/keptText.ts';

/** One item on disk. */
export interface OutboxFile {
	readonly id: string;
	readonly order: number;
	/** `undefined` for a file that is no item: unreadable, or named by something else. */
	readonly text: string | undefined;
	/** Where the user finds it. */
	readonly path: string;
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
	let snapshot = read();
	owned.add(onDispose(() => (isOver = true)));

	function read(): { readonly items: readonly Item[]; readonly damaged: readonly OutboxFile[] } {
		const all = place.all().map((file) => ({ file, item: readItem(file.id, file.order, file.text) }));
		return {
			items: all.flatMap(({ item }) => item ?? []).toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
			damaged: all.flatMap(({ file, item }) => (item ? [] : [file])),
		};
	}

	function readItem(id: string, order: number, text: string | undefined): Item | undefined {
		const content = keptIn<Content | undefined>(text, schema, undefined);
		return content && { ...content, id, order };
	}

	function tell(): void {
		snapshot = read();
		changed.fire();
	}

	return {
		/** In sending order, read from the disk. */
		items: () => read().items,
		/** The same as of the last change, for views. */
		shown: () => snapshot.items,
		/** Files without a readable item, as of the last change: damaged ones, and those of a newer version. */
		damaged: () => snapshot.damaged,
		/** Resolves when the item is safe on disk; rejects if the disk refuses. */
		async add(id: string, content: Content): Promise<void> {
			const order = maxOf([0, ...place.all().map((each) => each.order)]) + 1;
			await place.add(order, id, JSON.stringify(content));
			tell();
		},
		/** `undefined` if another window or the sender holds the item, or it is gone. */
		hold(id: string): HeldItem<Content> | undefined {
			const item = read().items.find((each) => each.id === id);
			const text = isOver || !item ? undefined : place.hold(id);
			if (!item || text === undefined) {
				return undefined;
			}
			const held = readItem(id, item.order, text);
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
