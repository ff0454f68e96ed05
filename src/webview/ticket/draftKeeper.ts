/** After a pause in typing, and while typing goes on at least this often, what was typed goes to the host. */
const pauseMs = 300;
const mostMs = 800;

/** Hands drafts to the host: none older than a second is only here. */
export interface DraftKeeper {
	typed(text: string): void;
	/** Nothing waits any longer. */
	flush(): void;
	/** Nothing is handed over any more. */
	dispose(): void;
}

/** Flushes by itself when the page loses the focus, is hidden or goes. An empty draft is not worth a pause. */
export function draftKeeper(send: (text: string) => void): DraftKeeper {
	let waiting: ReturnType<typeof setTimeout> | undefined;
	let unsent: string | undefined;
	let since = 0;

	function flush(): void {
		clearTimeout(waiting);
		if (unsent !== undefined) {
			const text = unsent;
			unsent = undefined;
			send(text);
		}
	}

	const listening = new AbortController();
	const { signal } = listening;
	window.addEventListener('blur', flush, { signal });
	window.addEventListener('pagehide', flush, { signal });
	document.addEventListener('visibilitychange', flush, { signal });
	return {
		typed(text) {
			const now = performance.now();
			since = unsent === undefined ? now : since;
			unsent = text;
			clearTimeout(waiting);
			if (text === '' || now - since >= mostMs) {
				flush();
			} else {
				waiting = setTimeout(flush, pauseMs);
			}
		},
		flush,
		dispose() {
			clearTimeout(waiting);
			unsent = undefined;
			listening.abort();
		},
	};
}
