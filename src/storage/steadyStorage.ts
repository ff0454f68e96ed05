import type { NameStorage } from './nameStorage.ts';

/** The part of the editor's storage that is needed: `vscode.Memento` fits. */
export interface EditorStorage extends NameStorage {
	keys(): readonly string[];
}

/** A change that is not kept yet. */
interface Change {
	readonly value: unknown;
	readonly kept: PromiseWithResolvers<void>;
}

/** How often a value is written that another window's writing takes away in the same moment. */
const mostWrites = 3;

/**
 * The same storage, in which no change is lost to another one.
 *
 * All that an extension keeps is one value to the editor, and each writing makes it send the whole of it back to every
 * window. A change that is made between a writing and its echo is taken back by that echo, and is gone for good when it
 * was not sent yet. So what is changed while the storage is being written waits until that has ended, and is read from
 * here meanwhile. What was written is looked at again, because another window may have written in that very moment.
 */
export function steadyStorage(storage: EditorStorage): EditorStorage {
	/** Changes that wait for the writing to end; of one name only the last. */
	let waiting = new Map<string, Change>();
	/** Those that are being written. */
	let begun: ReadonlyMap<string, Change> = new Map();
	let isWriting = false;

	async function writeAll(): Promise<void> {
		isWriting = true;
		// Changes of one moment go together, as they would without waiting: the window may be closing.
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

/** Never rejects: who made the change hears of a failure. */
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

/** The storage keeps what JSON can say. */
function isSame(kept: unknown, value: unknown): boolean {
	return JSON.stringify(kept) === JSON.stringify(value);
}
