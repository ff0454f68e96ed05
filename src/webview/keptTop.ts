import type { Protocol } from '../protocol/channel.ts';
import type { Host } from './host.ts';
import { keptRecord } from './keptRecord.ts';

/** How far a page is scrolled, kept over a reload. */
export interface KeptTop {
	/** Something on the page has changed: where somebody read before may be there by now. */
	settle(): void;
	/** Somebody goes elsewhere. */
	letGo(): void;
}

/** To be made once for a page; `beside` is kept beside it. */
export function keptTop<P extends Protocol>(
	host: Pick<Host<P>, 'kept' | 'keep'>,
	beside: () => Readonly<Record<string, unknown>> = () => ({}),
): KeptTop {
	const { top } = keptRecord(host.kept);
	/** Until somebody goes elsewhere: what stands above it may still grow. */
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
