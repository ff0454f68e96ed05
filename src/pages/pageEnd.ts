const ending = new AbortController();

/** Aborts when the document shows another page. Listeners outside the page's own elements end with it. */
export const pageEnd = ending.signal;

/** Ends this page. Its elements are gone next. */
export function endPage(): void {
	ending.abort();
}

/** Runs work before the next picture, unless the page has ended by then. */
export function beforePicture(work: () => void): void {
	requestAnimationFrame(() => {
		if (!pageEnd.aborted) {
			work();
		}
	});
}
