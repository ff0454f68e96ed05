import type { NameStorage } from './nameStorage.ts';

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
			if (isSame(storage.get(key), value)) {
				break;
			}
		}
		kept.resolve();
	} catch (error) {
		kept.reject(error);
	}
}

/** The storage holds JSON values. */
function isSame(kept: unknown, value: unknown): boolean {
	return JSON.stringify(kept) === JSON.stringify(value);
}
