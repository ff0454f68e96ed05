import { pageEnd } from './pageEnd.ts';

/** Work on a page in steps; each `yield` is a chance for keys and pictures. */
export type PageSteps<T = void> = Generator<void, T>;

/** Maximum time without a chance. The layout of the result takes about as long again. */
const sliceMs = 5;

/**
 * Runs works one after another, in slices. A work starts at once if no other waits. Always rests after the first slice,
 * for the page's first picture. `pause` calls back after the page had a chance for other tasks.
 */
export function pageWork(pause: (then: () => void) => void, nowMs: () => number) {
	const waiting: PageSteps[] = [];
	let isBusy = false;
	let isFirst = true;

	/** One step of the first work. An error ends only this work. */
	function step(steps: PageSteps): void {
		let isDone: boolean | undefined = true;
		try {
			isDone = steps.next().done;
		} finally {
			if (isDone === true) {
				waiting.shift();
			}
		}
	}

	function run(): void {
		const endMs = nowMs() + sliceMs;
		isBusy = true;
		try {
			for (let [steps] = waiting; steps; [steps] = waiting) {
				step(steps);
				if (nowMs() >= endMs) {
					break;
				}
			}
		} finally {
			isBusy = isFirst || waiting.length > 0;
			isFirst = false;
			if (isBusy) {
				pause(run);
			}
		}
	}

	return (steps: PageSteps): void => {
		waiting.push(steps);
		if (!isBusy) {
			run();
		}
	};
}

/** A hidden page draws no picture. */
const longestFirstMs = 100;

/** A pause until the next task, the first one until the next picture. Timers would wait longer. */
export function nextTask(): (then: () => void) => void {
	const { port1, port2 } = new MessageChannel();
	let next: (() => void) | undefined;
	let isFirst = true;
	port1.addEventListener('message', () => {
		const then = next;
		next = undefined;
		if (!pageEnd.aborted) {
			then?.();
		}
	});
	port1.start();
	return (then) => {
		next = then;
		const end = (): void => port2.postMessage(undefined);
		if (isFirst) {
			isFirst = false;
			requestAnimationFrame(end);
			setTimeout(end, longestFirstMs);
		} else {
			end();
		}
	};
}
