import { writeJournal, type JournalPlace, type WriteJournal } from '../../src/store/shared/writeJournal.ts';
import { fakeClock } from './fakeClock.ts';

/** A disk that several windows share. */
export interface JournalDisk {
	/** Storage of a new window. */
	window(): JournalPlace & { kill(): void };
	/** Writes fail with ENOSPC. Files can still be removed. */
	isFull: boolean;
	/** All files. */
	texts(): readonly string[];
}

export function journalDisk(): JournalDisk {
	/** Files by writing window. `owner` is `undefined` after its window died. */
	const texts = new Map<number, { readonly text: string; readonly owner: number | undefined }>();
	let windows = 0;
	const disk: JournalDisk = {
		isFull: false,
		texts: () => [...texts.values()].map(({ text }) => text),
		window() {
			const own = (windows += 1);
			let isKilled = false;
			const release = (): void => {
				for (const [of, { text, owner }] of texts) {
					texts.set(of, { text, owner: owner === own ? undefined : owner });
				}
			};
			return {
				async write(text) {
					if (isKilled) {
						// A killed process stops here.
						return new Promise(() => undefined);
					}
					if (disk.isFull && text !== '') {
						throw fullDisk();
					}
					if (text === '') {
						texts.delete(own);
					} else {
						texts.set(own, { text, owner: own });
					}
				},
				renew: () => undefined,
				release,
				adopt: () =>
					[...texts].flatMap(([of, { text, owner }]) => {
						if (owner !== undefined) {
							return [];
						}
						texts.set(of, { text, owner: own });
						const remove = (): void => void texts.delete(of);
						return [{ text, remove, setAside: remove }];
					}),
				kill() {
					isKilled = true;
					release();
				},
			};
		},
	};
	return disk;
}

export function fullDisk(): Error {
	return Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
}

/** A journal without a disk. */
export function journalInMemory(window = 'test'): WriteJournal {
	return writeJournal(journalDisk().window(), window, fakeClock());
}
