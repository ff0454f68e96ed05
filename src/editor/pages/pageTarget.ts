import type { PageTelling } from './pageTelling.ts';

/** What a page is told with where to go. */
export interface PageTargetParts {
	readonly telling: Pick<PageTelling, 'isListening'>;
	/** One that is hidden hears nothing, and asks anew when it is shown. */
	readonly isVisible: () => boolean;
	readonly tell: (place: number) => void;
}

/** What somebody wants to see on a page: it comes with the page's next start, or is told to a page that is there. */
export interface PageTarget {
	/** Where the next start leads. */
	now(): number | undefined;
	/** Somebody wants to see this. */
	goTo(place: number): void;
	/** The page hears from now on. */
	listens(): void;
	/** A start has led there; a page that has gone there does not go again. */
	reached(): void;
}

/** `first`: where the page is opened. */
export function pageTarget(first: number | undefined, { telling, isVisible, tell }: PageTargetParts): PageTarget {
	let wanted = first;

	function listens(): void {
		if (wanted === undefined || !telling.isListening()) {
			return;
		}
		tell(wanted);
		if (isVisible()) {
			wanted = undefined;
		}
	}

	return {
		now: () => wanted,
		goTo(place) {
			wanted = place;
			listens();
		},
		listens,
		reached() {
			wanted = undefined;
		},
	};
}
