import { fieldsOf } from '../base/lenientJson.ts';
import { beforePicture, pageEnd } from './pageEnd.ts';

/** Reading position: a mail, and the distance of its top from the top of the window. */
export interface ReadingPlace {
	/** 0 for the top of the page; then `top` is the scroll position. */
	readonly mail: number;
	readonly top: number;
}

/** Ignores invalid saved state. */
export function keptPlace(value: unknown): ReadingPlace | undefined {
	const { mail, top } = fieldsOf(value);
	return typeof mail === 'number' && typeof top === 'number' ? { mail, top } : undefined;
}

/** Keys that scroll. */
const scrollingKeys: readonly string[] = ['PageDown', 'PageUp', 'Home', 'End', 'ArrowDown', 'ArrowUp', ' '];

/** Selector of mails on any page. */
const mails = '[data-mail]';

/**
 * Call once per page. `before`: reading position before a reload. `below`: height of the fixed area at the top of the
 * window. `tell` gets the reading position after each scroll. `moved`: `current()` may have changed.
 */
export function placeKeeper(
	before: ReadingPlace | undefined,
	below: () => number,
	tell: (place: ReadingPlace) => void,
	moved?: () => void,
) {
	let pinned: ReadingPlace | undefined;
	/** Position of a mail that is not on the page yet. */
	let awaited = before;
	let last: number | undefined;
	/** The user scrolled after `last` was set. */
	let isScrolled = false;
	for (const name of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
		const letGo = (): void => {
			pinned = undefined;
			awaited = undefined;
		};
		window.addEventListener(name, letGo, { signal: pageEnd, passive: true, capture: true });
	}

	for (const name of ['wheel', 'touchmove']) {
		window.addEventListener(name, () => (isScrolled = true), { signal: pageEnd, passive: true, capture: true });
	}
	window.addEventListener('keydown', ({ key }) => (isScrolled ||= scrollingKeys.includes(key)), { signal: pageEnd });
	document.addEventListener(
		'focusin',
		({ target }) => {
			const mail = target instanceof Element ? target.closest<HTMLElement>(mails) : null;
			if (mail) {
				note(Number(mail.dataset['mail']));
			}
		},
		{ signal: pageEnd },
	);

	function note(mail: number): void {
		last = mail;
		isScrolled = false;
		moved?.();
	}

	function settle(): void {
		const element = pinned && mailElement(pinned.mail);
		if (pinned && element) {
			window.scrollBy(0, element.getBoundingClientRect().top - pinned.top);
		} else if (pinned?.mail === 0) {
			window.scrollTo(0, -pinned.top);
		}
	}

	/** Frames in which to repeat this: lazy layout changes heights while scrolling. */
	let framesLeft = 0;

	/** Before the next picture. At once, each of many changes would be laid out alone. */
	function settleSoon(frames: number): void {
		const isUnderWay = framesLeft > 0;
		framesLeft = Math.max(framesLeft, frames);
		if (!isUnderWay) {
			beforePicture(settleInFrame);
		}
	}

	function settleInFrame(): void {
		settle();
		framesLeft = pinned ? framesLeft - 1 : 0;
		if (framesLeft > 0) {
			beforePicture(settleInFrame);
		}
	}

	function isInSight(element: HTMLElement): boolean {
		const { top, bottom, height } = element.getBoundingClientRect();
		return height > 0 && bottom > below() && top < window.innerHeight;
	}

	function inSight(): HTMLElement | undefined {
		const x = document.documentElement.clientWidth / 2;
		for (let y = below() + 1; y < window.innerHeight; y += 24) {
			const mail = document.elementFromPoint(x, y)?.closest<HTMLElement>(mails);
			if (mail) {
				return mail;
			}
		}
		return undefined;
	}

	document.addEventListener(
		'scrollend',
		() => {
			const mail = inSight();
			const id = Number(mail?.dataset['mail'] ?? 0);
			tell(
				mail && window.scrollY > 0
					? { mail: id, top: mail.getBoundingClientRect().top }
					: { mail: 0, top: -window.scrollY },
			);
			moved?.();
		},
		{ signal: pageEnd },
	);

	function pin(place: ReadingPlace): void {
		awaited = undefined;
		pinned = place;
		settle();
		settleSoon(6);
		if (place.mail !== 0) {
			note(place.mail);
		}
	}

	return {
		/** Keeps the mail at this distance from the top, until the user moves. */
		pin,
		/** Call after content changes: an awaited mail may now exist. */
		settle: () => (awaited && (awaited.mail === 0 || mailElement(awaited.mail)) ? pin(awaited) : settleSoon(2)),
		/**
		 * The mail last focused or pinned, until the user scrolls it out of view; then the one at the top of the window.
		 */
		current() {
			const element = last === undefined ? null : mailElement(last);
			return element && (!isScrolled || isInSight(element)) ? element : inSight();
		},
	};
}

export function mailElement(id: number): HTMLElement | null {
	return document.querySelector<HTMLElement>(`[data-mail="${id}"]`);
}
