import { pageEnd } from './pageEnd.ts';

/**
 * Debounce, and its maximum while typing continues. A draft must be on disk within a second, including the transfer.
 */
const pauseMs = 300;
const mostMs = 500;

/** Also flushes at a chord, and when the page loses focus, is hidden or closes. Sends an empty draft immediately. */
export function draftKeeper(send: (text: string) => void) {
	let atPause: ReturnType<typeof setTimeout> | undefined;
	let atLatest: ReturnType<typeof setTimeout> | undefined;
	let unsent: string | undefined;

	function stopWaiting(): void {
		clearTimeout(atPause);
		clearTimeout(atLatest);
		atLatest = undefined;
	}

	function flush(): void {
		stopWaiting();
		if (unsent !== undefined) {
			const text = unsent;
			unsent = undefined;
			send(text);
		}
	}

	function forget(): void {
		stopWaiting();
		clearTimeout(atPause);
		unsent = undefined;
	}

	const listening = new AbortController();
	const signal = AbortSignal.any([listening.signal, pageEnd]);
	window.addEventListener('blur', flush, { signal });
	window.addEventListener('pagehide', flush, { signal });
	document.addEventListener('visibilitychange', flush, { signal });
	// A chord may run a command that sends the text. Enter belongs to the box.
	const listenFirst = { signal, capture: true };
	window.addEventListener(
		'keydown',
		({ key, altKey, ctrlKey, metaKey }) => void (key !== 'Enter' && (altKey || ctrlKey || metaKey) && flush()),
		listenFirst,
	);
	return {
		typed(text: string) {
			unsent = text;
			if (text === '') {
				flush();
				return;
			}
			clearTimeout(atPause);
			atPause = setTimeout(flush, pauseMs);
			atLatest ??= setTimeout(flush, mostMs);
		},
		/** Sends a pending draft now. */
		flush,
		/** Drops a pending draft that goes another way. */
		forget,
		/** Stops sending. */
		dispose() {
			forget();
			listening.abort();
		},
	};
}
