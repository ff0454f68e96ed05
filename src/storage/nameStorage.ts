/** What is needed of the editor's storage to keep something under a name; values are anything that JSON can say. */
export interface NameStorage {
	get(key: string): unknown;
	update(key: string, value: unknown): PromiseLike<void>;
}

/** The same storage, in which nothing is changed any more once the account is gone, whoever still tries. */
export function storageWhile(isThere: () => boolean, storage: NameStorage): NameStorage {
	return {
		get: (key) => storage.get(key),
		update: (key, value) => (isThere() ? storage.update(key, value) : Promise.resolve()),
	};
}
