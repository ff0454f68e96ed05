import { beforePicture, pageEnd } from '../pageEnd.ts';

/** Reading position: an entry, and the distance of its top from the top of the window. */
export interface ReadingPlace {
	/** 0 for the top of the page; then `top` is the scroll position. */
	readonly entryId: number;
	readonly top: number;
}

/** Margin around elements scrolled into view. */
const edge = 8;

/** The entry at the top of the window. */
function entryInSight(): HTMLElement | undefined {
	const x = document.documentElement.clientWidth / 2;
	for (let y = 1; y < window.innerHeight; y += 24) {
		const entry = document.elementFromPoint(x, y)?.closest<HTMLElement>('.entry');
		if (entry) {
			return entry;
		}
	}
	return undefined;
}

/**
 * Runs a change without moving the text that the user reads. At the very top, keeps the ticket in view, unless the user
 * has a selection or is writing.
 */
export function keepingPlace(isReading: boolean, change: () => void): void {
	const isWriting = document.activeElement?.matches('textarea, input') ?? false;
	const anchor = selected() ?? (isReading || isWriting ? entryInSight() : undefined);
	const before = anchor?.getBoundingClientRect().top ?? 0;
	change();
	if (anchor?.isConnected === true) {
		window.scrollBy(0, anchor.getBoundingClientRect().top - before);
		if (before > 0) {
			settle(() => anchor, before);
		}
	}
}

/** Scrolls an element into view above `cover`; does nothing when it is already visible. */
export function bringIntoSight(element: HTMLElement, cover: HTMLElement): void {
	const end = Math.min(window.innerHeight, cover.getBoundingClientRect().top);
	const { top, bottom, height } = element.getBoundingClientRect();
	if (top >= 0 && bottom <= end) {
		return;
	}
	const wanted = Math.max(edge, end - height - edge);
	window.scrollBy(0, top - wanted);
	settle(() => element, wanted);
}

/** Lazy layout changes heights while scrolling, so repeat until the user moves. */
function settle(element: () => Element | null, top: number): void {
	const moved = new AbortController();
	const { signal } = moved;
	for (const name of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
		window.addEventListener(name, () => moved.abort(), { signal, passive: true, capture: true });
	}
	let frames = 6;
	const step = (): void => {
		const found = element();
		if (signal.aborted || found?.isConnected !== true || frames === 0) {
			moved.abort();
			return;
		}
		frames -= 1;
		window.scrollBy(0, found.getBoundingClientRect().top - top);
		beforePicture(step);
	};
	step();
}

/** The visible element at the start of the selection. */
function selected(): Element | undefined {
	const selection = window.getSelection();
	const node = selection?.isCollapsed === false ? selection.anchorNode : null;
	const element = node instanceof Element ? node : node?.parentElement;
	if (!element) {
		return undefined;
	}
	const { top, bottom } = element.getBoundingClientRect();
	return bottom > 0 && top < window.innerHeight ? element : undefined;
}

/** Reports the reading position after each scroll. */
export function watchPlace(tell: (place: ReadingPlace) => void): void {
	document.addEventListener(
		'scrollend',
		() => {
			const entry = entryInSight();
			const key = entry?.dataset['key'];
			const place =
				entry && key !== undefined
					? { entryId: Number(key.replace('event-', '')), top: entry.getBoundingClientRect().top }
					: { entryId: 0, top: -window.scrollY };
			tell(place);
		},
		{ signal: pageEnd },
	);
}

/** Restores a reading position; `false` while its entry is missing. */
export function goTo({ entryId, top }: ReadingPlace): boolean {
	if (entryId === 0) {
		window.scrollTo(0, -top);
		return true;
	}
	const entry = (): Element | null => document.querySelector(`[data-key="event-${entryId}"]`);
	if (!entry()) {
		return false;
	}
	settle(entry, top);
	return true;
}
