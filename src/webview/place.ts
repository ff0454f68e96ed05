import { keptRecord } from './keptRecord.ts';

/** Where on the page somebody reads: a mail, and how far its top is below the top of the window. */
export interface ReadingPlace {
	/** 0 when it is the head of the page, and `top` is then how far it is scrolled. */
	readonly mail: number;
	readonly top: number;
}

/** Reads what an earlier life of the page kept; what does not fit is as if it had not been kept. */
export function keptPlace(value: unknown): ReadingPlace | undefined {
	const { mail, top } = keptRecord(value);
	return typeof mail === 'number' && typeof top === 'number' ? { mail, top } : undefined;
}

/** Keys that scroll. */
const scrollingKeys: readonly string[] = ['PageDown', 'PageUp', 'Home', 'End', 'ArrowDown', 'ArrowUp', ' '];

/** Mails, wherever a page shows some. */
const mails = '[data-mail]';

/** Keeps a mail where it is while what stands above it still comes. */
export interface PlaceKeeper {
	/** From now on the mail stays at this height of the window; whoever moves by themselves lets go of it. */
	pin(place: ReadingPlace): void;
	/** Something on the page has changed: where somebody read before may be there by now. */
	settle(): void;
	/** The mail last focused or pinned, until somebody scrolls it out of sight; then the one at the top of the window. */
	current(): HTMLElement | undefined;
}

export interface PlaceKeeperParts {
	/** Where somebody read in an earlier life of the page. */
	readonly before: ReadingPlace | undefined;
	/** How much of the window's top is covered by what does not scroll. */
	readonly below: () => number;
	/** Called with the reading place after each scroll. */
	readonly tell: (place: ReadingPlace) => void;
	/** Called when `current()` may be another mail. */
	readonly moved?: () => void;
}

/** To be made once for a page. */
export function placeKeeper({ before, below, tell, moved }: PlaceKeeperParts): PlaceKeeper {
	let pinned: ReadingPlace | undefined;
	/** Not there yet. */
	let awaited = before;
	let last: number | undefined;
	/** Since `last` was noted. */
	let isScrolled = false;
	const letGo = (): void => {
		pinned = undefined;
		awaited = undefined;
	};
	for (const name of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
		window.addEventListener(name, letGo, { passive: true, capture: true });
	}

	for (const name of ['wheel', 'touchmove']) {
		window.addEventListener(name, () => (isScrolled = true), { passive: true, capture: true });
	}
	window.addEventListener('keydown', ({ key }) => (isScrolled ||= scrollingKeys.includes(key)));
	document.addEventListener('focusin', ({ target }) => {
		const mail = target instanceof Element ? target.closest<HTMLElement>(mails) : null;
		if (mail) {
			note(Number(mail.dataset['mail']));
		}
	});

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

	/** Mails get their heights only when they come near, so the first way to a place is never quite right. */
	function settleSoon(frames: number): void {
		settle();
		if (frames > 0 && pinned) {
			requestAnimationFrame(() => settleSoon(frames - 1));
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

	document.addEventListener('scrollend', () => {
		const mail = inSight();
		const id = Number(mail?.dataset['mail'] ?? 0);
		tell(
			mail && window.scrollY > 0
				? { mail: id, top: mail.getBoundingClientRect().top }
				: { mail: 0, top: -window.scrollY },
		);
		moved?.();
	});

	function pin(place: ReadingPlace): void {
		awaited = undefined;
		pinned = place;
		settleSoon(6);
		if (place.mail !== 0) {
			note(place.mail);
		}
	}

	return {
		pin,
		settle: () => (awaited && (awaited.mail === 0 || mailElement(awaited.mail)) ? pin(awaited) : settleSoon(2)),
		current() {
			const element = last === undefined ? null : mailElement(last);
			return element && (!isScrolled || isInSight(element)) ? element : inSight();
		},
	};
}

/** The place of a mail on the page. */
export function mailElement(id: number): HTMLElement | null {
	return document.querySelector<HTMLElement>(`[data-mail="${id}"]`);
}
