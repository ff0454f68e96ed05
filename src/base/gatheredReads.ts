import { abortReason } from './abort.ts';
import { nextTurn } from './timeSlice.ts';

/** How many things are asked for with one question. */
export interface GatheredReadsParts<T> {
	/** Reads several things at once; what is not there is left out. The signal is aborted when nobody waits any longer. */
	readonly read: (keys: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>;
	readonly mostAtOnce: number;
	/** Questions that are on their way at a time. */
	readonly mostUnderWay: number;
}

/** Reads one thing; `undefined` where it is not there. */
export type GatheredRead<T> = (key: string, signal: AbortSignal) => Promise<T | undefined>;

interface Waiting<T> {
	readonly key: string;
	readonly signal: AbortSignal;
	readonly answer: PromiseWithResolvers<T | undefined>;
}

/**
 * Gathers what is wanted one by one into questions about several things: what is asked for in one turn goes together, and
 * what is asked for while enough questions are under way goes into the next one. A question that fails fails for all.
 */
export function gatheredReads<T>({ read, mostAtOnce, mostUnderWay }: GatheredReadsParts<T>): GatheredRead<T> {
	const waiting: Waiting<T>[] = [];
	let underWay = 0;

	async function askWhileWanted(): Promise<void> {
		await nextTurn();
		while (waiting.length > 0) {
			await ask(waiting.splice(0, mostAtOnce));
		}
		underWay -= 1;
	}

	async function ask(all: readonly Waiting<T>[]): Promise<void> {
		const wanted = all.filter(({ signal }) => !signal.aborted);
		if (wanted.length === 0) {
			return;
		}
		const nobody = new AbortController();
		const leave = (): void => {
			if (wanted.every(({ signal }) => signal.aborted)) {
				nobody.abort();
			}
		};
		wanted.forEach(({ signal }) => signal.addEventListener('abort', leave, { once: true }));
		try {
			const found = await read([...new Set(wanted.map(({ key }) => key))], nobody.signal);
			wanted.forEach(({ key, answer }) => answer.resolve(found.get(key)));
		} catch (error) {
			wanted.forEach(({ answer }) => answer.reject(error));
		} finally {
			wanted.forEach(({ signal }) => signal.removeEventListener('abort', leave));
		}
	}

	return (key, signal) => {
		if (signal.aborted) {
			return Promise.reject(abortReason(signal));
		}
		const answer = Promise.withResolvers<T | undefined>();
		const giveUp = (): void => answer.reject(abortReason(signal));
		signal.addEventListener('abort', giveUp, { once: true });
		waiting.push({ key, signal, answer });
		if (underWay < mostUnderWay) {
			underWay += 1;
			void askWhileWanted();
		}
		return answer.promise.finally(() => signal.removeEventListener('abort', giveUp));
	};
}
