/** Something that holds a resource until it is told to let go. Same shape as the editor's own type. */
export interface Disposable {
	dispose(): void;
}

/** Owns a group of disposables and lets go of them newest first. */
export class Disposables implements Disposable {
	readonly #items: Disposable[] = [];
	#disposed = false;

	/** Takes ownership. An item added after disposal is disposed at once, so late arrivals cannot leak. */
	add<T extends Disposable>(item: T): T {
		if (this.#disposed) {
			item.dispose();
		} else {
			this.#items.push(item);
		}
		return item;
	}

	/** Lets go of everything, even if some of it fails; the failures are then thrown together. */
	dispose(): void {
		this.#disposed = true;
		const failures: unknown[] = [];
		for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) {
			try {
				item.dispose();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) {
			throw new AggregateError(failures, 'Some disposables failed to dispose');
		}
	}

	[Symbol.dispose](): void {
		this.dispose();
	}
}

/** Wraps a function as something to own. Runs it once at most. */
export function onDispose(run: () => void): Disposable {
	let done = false;
	return {
		dispose() {
			if (!done) {
				done = true;
				run();
			}
		},
	};
}
