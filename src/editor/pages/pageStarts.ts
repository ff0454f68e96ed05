import type { PageTelling } from './pageTelling.ts';

/** Callbacks for building starts. */
export interface PageStartsParts<Start> {
	/** Reads until the page has something to show. */
	readonly read: () => Promise<void>;
	/** The page lost its content. */
	readonly forget: () => void;
	/** Content unknown to the page, as the start `number`. */
	readonly start: (number: number) => Start;
	/** Start with only an error. */
	readonly failed: (number: number, error: unknown) => Start;
	readonly telling: Pick<PageTelling, 'listen' | 'stopListening'>;
	/** The page accepts messages now, including pending scroll targets. */
	readonly listens?: () => void;
	/** Lets others have their turn. */
	readonly pause: () => Promise<void>;
}

/** Starts of a page that loads while the editor opens it. */
export interface PageStarts<Start> {
	/** Starts loading. `answer` reports errors. */
	begin(): void;
	/** Loads, or joins a running load. */
	load(): Promise<void>;
	/** Known content, embedded in the page. */
	first(): Start;
	/** Data for a page with the start `known`. Never rejects. */
	answer(known: number): Promise<Start>;
}

/** Numbers the starts, so that a page with a start receives only later news. */
export function pageStarts<Start>(parts: PageStartsParts<Start>): PageStarts<Start> {
	const { read, forget, start, failed, telling, listens, pause } = parts;
	let reading: Promise<void> | undefined;
	let number = 0;
	/** Number of start requests. */
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

	/** Wait for the answer to go out: the page treats its start as complete and would lose earlier news. */
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
			// A page that was hidden has its original, outdated start.
			const isAnew = known === 0 || known !== number || asked > 0;
			asked += 1;
			const turn = asked;
			// Hold back news until the page is ready.
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
