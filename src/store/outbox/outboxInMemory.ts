import { Emitter, type Event } from '@forge-desk/base/event.ts';
import type { OutboxPlace } from './sharedQueue.ts';

interface MemoryFile {
	readonly order: number;
	readonly text: string;
	readonly holder: object | undefined;
}

/** Items of an outbox without a disk, by id. */
export type MemoryFiles = Map<string, MemoryFile>;

/** An outbox without a disk. Windows of one process may share `files`; `me` identifies a window. */
export function outboxInMemory(files: MemoryFiles = new Map(), me: object = {}): OutboxPlace {
	const noOtherWindow: Event<void> = new Emitter<void>().event;

	function own(id: string): MemoryFile {
		const file = files.get(id);
		if (file?.holder !== me) {
			throw new Error('This window does not hold the item');
		}
		return file;
	}

	return {
		async add(order, id, text) {
			files.set(id, { order, text, holder: undefined });
		},
		all: () =>
			[...files].map(([id, { order, text, holder }]) => ({ id, order, text, path: id, isHeld: holder !== undefined })),
		hold(id) {
			const file = files.get(id);
			if (!file || file.holder) {
				return undefined;
			}
			files.set(id, { ...file, holder: me });
			return file.text;
		},
		async rewrite(id, text) {
			files.set(id, { ...own(id), text });
		},
		release: (id) => void files.set(id, { ...own(id), holder: undefined }),
		remove(id) {
			own(id);
			files.delete(id);
		},
		onDidChange: noOtherWindow,
	};
}
