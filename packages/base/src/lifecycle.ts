/** Same shape as the editor's `Disposable`. */
export interface Disposable {
	dispose(): void;
}

/** Disposes a group in reverse order of addition. */
export class Disposables implements Disposable {
	readonly #items: Disposable[] = [];
	#disposed = false;

	/** Takes ownership. After disposal, disposes the item immediately, so that late arrivals cannot leak. */
	add<T extends Disposable>(item: T): T {
		if (this.#disposed) {
			item.dispose();
		} else {
			this.#items.push(item);
		}
		return item;
	}

	/** Disposes everything even if some items throw; then throws the errors together. */
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

/** Wraps a function; runs it at most once. */
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
