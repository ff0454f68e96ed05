import type { Protocol } from '../protocol/channel.ts';
import type { Host } from './host.ts';
import { keptRecord } from './keptRecord.ts';

/** Restores the scroll position after a reload. */
export interface KeptTop {
	/** Call after content changes: the page may now be tall enough. */
	settle(): void;
	/** Call when the page scrolls elsewhere. */
	letGo(): void;
}

/** Call once per page; `beside`: further state to save. */
export function keptTop<P extends Protocol>(
	host: Pick<Host<P>, 'kept' | 'keep'>,
	beside: () => Readonly<Record<string, unknown>> = () => ({}),
): KeptTop {
	const { top } = keptRecord(host.kept);
	/** Scroll target until the user moves: content above may still grow. */
	let wanted = typeof top === 'number' && top > 0 ? top : undefined;
	const letGo = (): void => {
		wanted = undefined;
	};
	host.keep({ ...beside(), top: wanted ?? 0 });
	for (const leaving of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
		window.addEventListener(leaving, letGo, { passive: true, capture: true });
	}
	window.addEventListener('scrollend', () => host.keep({ ...beside(), top: Math.round(window.scrollY) }));
	return {
		settle() {
			if (wanted !== undefined) {
				window.scrollTo(0, wanted);
			}
		},
		letGo,
	};
}
