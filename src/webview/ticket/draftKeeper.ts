/**
 * After a pause in typing, and while typing goes on this long after the first key, what was typed goes to the host. It
 * still has to get there and onto the disk before it is a second old.
 */
const pauseMs = 300;
const mostMs = 500;

/** Hands drafts to the host: none older than a second is only here. */
export interface DraftKeeper {
	typed(text: string): void;
	/** Nothing waits any longer. */
	flush(): void;
	/** What waits is handed over in another way. */
	forget(): void;
	/** Nothing is handed over any more. */
	dispose(): void;
}

/** Flushes by itself when the page loses the focus, is hidden or goes. An empty draft is not worth a pause. */
export function draftKeeper(send: (text: string) => void): DraftKeeper {
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
	const { signal } = listening;
	window.addEventListener('blur', flush, { signal });
	window.addEventListener('pagehide', flush, { signal });
	document.addEventListener('visibilitychange', flush, { signal });
	return {
		typed(text) {
			unsent = text;
			if (text === '') {
				flush();
				return;
			}
			clearTimeout(atPause);
			atPause = setTimeout(flush, pauseMs);
			atLatest ??= setTimeout(flush, mostMs);
		},
		flush,
		forget,
		dispose() {
			forget();
			listening.abort();
		},
	};
}
