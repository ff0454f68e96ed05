import type { KeptNames } from '../../store/shared/keptNames.ts';
import type { KeptText } from '../../store/shared/keptText.ts';

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

/** The used part of `vscode.Memento`. */
export interface EditorStorage extends NameStorage {
	keys(): readonly string[];
}

/** A pending write. */
interface Change {
	readonly value: unknown;
	readonly kept: PromiseWithResolvers<void>;
}

/** Maximum tries when another window overwrites a value at the same time. */
const mostWrites = 3;

/**
 * The same storage without lost updates.
 *
 * The editor stores all of an extension's values as one object. Each write echoes the whole object to every window. A
 * change between a write and its echo is overwritten by the echo. So changes during a write wait for its end; reads
 * return them meanwhile. Each write is verified afterwards, because another window may have written at the same time.
 */
export function steadyStorage(storage: EditorStorage): EditorStorage {
	/** Changes waiting for the current write; the last one per key. */
	let waiting = new Map<string, Change>();
	/** Changes in the current write. */
	let begun: ReadonlyMap<string, Change> = new Map();
	let isWriting = false;

	async function writeAll(): Promise<void> {
		isWriting = true;
		// Batch changes of the same tick, as the editor would: the window may be closing.
		await Promise.resolve();
		while (waiting.size > 0) {
			begun = waiting;
			waiting = new Map();
			await Promise.all(Array.from(begun, ([key, change]) => write(storage, key, change)));
			begun = new Map();
		}
		isWriting = false;
	}

	function changeOf(key: string): Change | undefined {
		return waiting.get(key) ?? begun.get(key);
	}

	return {
		get(key) {
			const change = changeOf(key);
			return change ? change.value : storage.get(key);
		},
		update(key, value) {
			const kept = waiting.get(key)?.kept ?? Promise.withResolvers<void>();
			waiting.set(key, { value, kept });
			if (!isWriting) {
				void writeAll();
			}
			return kept.promise;
		},
		keys() {
			const known = new Set([...storage.keys(), ...begun.keys(), ...waiting.keys()]);
			return Array.from(known).filter((key) => {
				const change = changeOf(key);
				return !change || change.value !== undefined;
			});
		},
	};
}

/** Never rejects; the caller of `update` gets the error. */
async function write(storage: NameStorage, key: string, { value, kept }: Change): Promise<void> {
	try {
		for (let writes = 0; writes < mostWrites; writes += 1) {
			await storage.update(key, value);
			// The storage holds JSON values.
			if (JSON.stringify(storage.get(key)) === JSON.stringify(value)) {
				break;
			}
		}
		kept.resolve();
	} catch (error) {
		kept.reject(error);
	}
}

/** Names stored for an account until sign-out, in the editor's storage. Invalid values count as empty. */
export function keptNames(storage: NameStorage, kind: string, connectionKey: string): KeptNames {
	const key = keyOf(kind, connectionKey);
	return {
		all() {
			const kept = storage.get(key);
			return Array.isArray(kept) ? kept.filter((name): name is string => typeof name === 'string') : [];
		},
		async keep(names) {
			await storage.update(key, names.length === 0 ? undefined : names);
		},
	};
}

/** Deletes all values of an account, including those of `keptText`. */
export function forgetNames(storage: EditorStorage, connectionKey: string): Promise<void> {
	return forget(
		storage,
		storage.keys().filter((key) => ownerOf(key) === connectionKey),
	);
}

/**
 * Deletes the values of signed-out accounts. Does nothing without any signed-in account, because an unreadable secret
 * storage looks the same. `signedIn` runs after listing the keys, so an account that signs in meanwhile loses nothing.
 * `isKeptAnyway`: values that survive sign-out.
 */
export async function keepOnlyNames(
	storage: EditorStorage,
	signedIn: () => Promise<readonly string[]>,
	isKeptAnyway: (owner: string) => boolean,
): Promise<void> {
	const there = storage.keys();
	const wanted = new Set(await signedIn());
	await forget(
		storage,
		there.filter((key) => {
			const owner = ownerOf(key);
			return wanted.size > 0 && owner !== undefined && !wanted.has(owner) && !isKeptAnyway(owner);
		}),
	);
}

/** In parallel, so that a value stored later survives. */
async function forget(storage: EditorStorage, keys: readonly string[]): Promise<void> {
	await Promise.all(keys.map((key) => storage.update(key, undefined)));
}

const prefix = 'forge.names:';

/** Storage key of a kind of value for an account. */
function keyOf(kind: string, connectionKey: string): string {
	return `${prefix}${kind}:${connectionKey}`;
}

/** Account keys contain no colon. `undefined` for foreign keys. */
function ownerOf(key: string): string | undefined {
	return key.startsWith(prefix) ? key.slice(key.lastIndexOf(':') + 1) : undefined;
}

/** A text of an account in the editor's storage until sign-out; `forgetNames` deletes it. */
export function keptText(storage: NameStorage, kind: string, connectionKey: string): KeptText {
	return keptForAll(storage, keyOf(kind, connectionKey));
}

/** A text without an account; survives sign-out. */
export function keptForAll(storage: NameStorage, key: string): KeptText {
	return {
		read: () => storage.get(key),
		async write(text) {
			await storage.update(key, text);
		},
	};
}
