import type { Disposable } from './lifecycle.ts';

/** Subscribe function. Assignable to the editor's `Event<T>`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Source of an event. Keep it private and expose only `event`. */
export class Emitter<T> implements Disposable {
	readonly #listeners = new Set<(value: T) => void>();

	readonly event: Event<T> = (listener) => {
		const entry = (value: T): void => listener(value);
		this.#listeners.add(entry);
		return { dispose: () => void this.#listeners.delete(entry) };
	};

	/** A listener added during `fire` gets only later events. */
	fire(value: T): void {
		for (const listener of Array.from(this.#listeners)) {
			listener(value);
		}
	}

	dispose(): void {
		this.#listeners.clear();
	}
}
