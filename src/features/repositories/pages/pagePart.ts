import { isAbort } from '../../../base/abort.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { ReadPart } from '../../../store/shared/readPart.ts';

/** The page that loads a part. */
export interface PageReading {
	readonly problems: Problems;
	/** The result of `now` changed. */
	readonly changed: () => void;
	/** Ends with the page. */
	readonly signal: AbortSignal;
}

/** A loadable part of a page with its state. */
export type PagePart<T> = ReturnType<typeof pagePart<T>>;

/** Loads from the store, which decides about requests. An error appears in place of the part. */
export function pagePart<T>(ask: (signal: AbortSignal) => Promise<T>, { problems, changed, signal }: PageReading) {
	let now: ReadPart<T> = { kind: 'reading' };
	let last = 0;
	return {
		now: () => now,
		/** Shows a value from an earlier window until the first load. */
		recalled(value: T): void {
			if (last === 0) {
				now = { kind: 'known', value };
				changed();
			}
		},
		/** Reloads; the known value stays until the answer. Never throws. */
		async read(): Promise<void> {
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
			// A newer request is running and will publish its result.
			if (turn === last) {
				now = next;
				changed();
			}
		},
	};
}
