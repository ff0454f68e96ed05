import { isAbort } from '../../../base/abort.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { ReadPart } from '../../../state/shared/readPart.ts';

export interface PagePartParts {
	readonly problems: Pick<Problems, 'log'>;
	/** `now` says something else. */
	readonly changed: () => void;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** What a page reads of the forge, and how that stands. */
export interface PagePart<T> {
	now(): ReadPart<T>;
	/** Shows what an earlier window read, as long as nothing was asked for yet. */
	recalled(value: T): void;
	/** Reads it anew; what is known stays until the answer comes. Never throws. */
	read(): Promise<void>;
}

/** Asks the store, which knows what it has to ask the forge for. A failure is told where the part would stand. */
export function pagePart<T>(
	ask: (signal: AbortSignal) => Promise<T>,
	{ problems, changed, signal }: PagePartParts,
): PagePart<T> {
	let now: ReadPart<T> = { kind: 'reading' };
	let last = 0;
	return {
		now: () => now,
		recalled(value) {
			if (last === 0) {
				now = { kind: 'known', value };
				changed();
			}
		},
		async read() {
			last += 1;
			const turn = last;
			if (now.kind === 'failed') {
				now = { kind: 'reading' };
				changed();
			}
			let next: ReadPart<T>;
			try {
				next = { kind: 'known', value: await ask(signal) };
			} catch (error) {
				if (isAbort(error)) {
					return;
				}
				problems.log(error);
				next = { kind: 'failed', error };
			}
			// Somebody asked again meanwhile, and hears what is true by then.
			if (turn === last) {
				now = next;
				changed();
			}
		},
	};
}
