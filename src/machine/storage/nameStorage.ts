/** The used part of `vscode.Memento`; values are JSON. */
export interface NameStorage {
	get(key: string): unknown;
	update(key: string, value: unknown): PromiseLike<void>;
}

/** Ignores updates after the account is gone. */
export function storageWhile(isThere: () => boolean, storage: NameStorage): NameStorage {
	return {
		get: (key) => storage.get(key),
		update: (key, value) => (isThere() ? storage.update(key, value) : Promise.resolve()),
	};
}
