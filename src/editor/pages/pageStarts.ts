import type { PageTelling } from './pageTelling.ts';

/** What the starts of a page are made of. */
export interface PageStartsParts<Start> {
	/** Reads until the page has something to show. */
	readonly read: () => Promise<void>;
	/** The page has forgotten what it was told. */
	readonly forget: () => void;
	/** What the page does not know yet, as the start `number`. */
	readonly start: (number: number) => Start;
	/** What the page starts with when nothing could be read. */
	readonly failed: (number: number, error: unknown) => Start;
	readonly telling: Pick<PageTelling, 'listen' | 'stopListening'>;
	/** The page hears from now on: what was wanted of it since its start went out can be told. */
	readonly listens?: () => void;
	/** Lets others have their turn. */
	readonly pause: () => Promise<void>;
}

/** The starts of a page that is read while the editor still opens it. */
export interface PageStarts<Start> {
	/** Begins to read. Whoever asks for a start hears of a failure. */
	begin(): void;
	/** Reads unless that is under way. */
	load(): Promise<void>;
	/** What is known without waiting, to come with the page itself. */
	first(): Start;
	/** What the page starts with, beyond the start `known` that it has. Never refuses. */
	answer(known: number): Promise<Start>;
}

/** Numbers the starts, so that a page that has one already is told only what came since. */
export function pageStarts<Start>(parts: PageStartsParts<Start>): PageStarts<Start> {
	const { read, forget, start, failed, telling, listens, pause } = parts;
	let reading: Promise<void> | undefined;
	let number = 0;
	/** Counts how often the page has asked for a start. */
	let asked = 0;

	async function load(): Promise<void> {
		reading ??= read();
		try {
			await reading;
		} finally {
			reading = undefined;
		}
	}

	function next(): Start {
		number += 1;
		return start(number);
	}

	/** What is told before the answer has gone out would be void: the page takes the start for all that there is. */
	async function listenAfter(turn: number): Promise<void> {
		await pause();
		if (turn === asked) {
			await telling.listen();
			listens?.();
		}
	}

	return {
		begin() {
			reading = read();
			reading.catch(() => undefined);
		},
		load,
		first: next,
		async answer(known) {
			// A page that was hidden starts with what was known when it was opened, and that is long out of date.
			const isAnew = known === 0 || known !== number || asked > 0;
			asked += 1;
			const turn = asked;
			// What is told meanwhile would reach a page that is not there yet.
			telling.stopListening();
			try {
				await load();
				if (isAnew) {
					forget();
				}
				const answered = isAnew ? next() : start(number);
				void listenAfter(turn);
				return answered;
			} catch (error) {
				return failed(number, error);
			}
		},
	};
}
