import { abortReason } from './abort.ts';
import { nextTurn } from './timeSlice.ts';

export interface GatheredReadsParts<T> {
	/** Reads several keys in one request; omits missing ones. The signal aborts when no caller remains. */
	readonly read: (keys: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, T>>;
	readonly mostAtOnce: number;
	/** Maximum concurrent requests. */
	readonly mostUnderWay: number;
}

/** `undefined` for a missing key. */
export type GatheredRead<T> = (key: string, signal: AbortSignal) => Promise<T | undefined>;

interface Waiting<T> {
	readonly key: string;
	readonly signal: AbortSignal;
	readonly answer: PromiseWithResolvers<T | undefined>;
}

/**
 * Batches single reads: all of one tick share a request, and later ones wait while the maximum number of requests is in
 * flight. A failing request rejects all its reads.
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
