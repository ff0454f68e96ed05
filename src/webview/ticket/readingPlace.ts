import type { ReadingPlace } from './kept.ts';

/** What stays free beside something that is brought into sight. */
const edge = 8;

/** The entry that is read at the top of the window, as its element. */
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
 * Changes the page while what is read stays where it is. At the very top it is the ticket itself that is read, unless
 * somebody has selected a text or is writing: then what stands before their eyes must not move either.
 */
export function keepingPlace(isReading: boolean, change: () => void): void {
	const anchor = selected() ?? (isReading || isWriting() ? entryInSight() : undefined);
	const before = anchor?.getBoundingClientRect().top ?? 0;
	change();
	if (anchor?.isConnected === true) {
		window.scrollBy(0, anchor.getBoundingClientRect().top - before);
		if (before > 0) {
			settle(() => anchor, before);
		}
	}
}

/** Brings an element into sight, above what covers the end of the window. Nothing moves when it is there already. */
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

/**
 * Entries get their heights only when they come near, so the first way to a place is never quite right if there is
 * anything in view above it. Whoever moves meanwhile knows better.
 */
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
		requestAnimationFrame(step);
	};
	step();
}

/** The element in which the selection begins, as far as it is in view. */
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

function isWriting(): boolean {
	return document.activeElement?.matches('textarea, input') ?? false;
}

/** Tells where somebody reads, a moment after each scrolling. */
export function watchPlace(tell: (place: ReadingPlace) => void): void {
	document.addEventListener('scrollend', () => {
		const entry = entryInSight();
		const key = entry?.dataset['key'];
		const place =
			entry && key !== undefined
				? { entryId: Number(key.replace('event-', '')), top: entry.getBoundingClientRect().top }
				: { entryId: 0, top: -window.scrollY };
		tell(place);
	});
}

/** Goes back to where somebody read before; `false` while that entry is not there yet. */
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
