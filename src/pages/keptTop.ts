import type { Protocol } from './protocol/pageProtocol.ts';
import type { Host } from './host.ts';
import { pageEnd } from './pageEnd.ts';
import { fieldsOf } from '../base/lenientJson.ts';

/**
 * Keeps the scroll position while content above it loads, and over a reload. Call once per page; `beside`: further
 * state to save.
 */
export function keptTop<P extends Protocol>(
	host: Pick<Host<P>, 'kept' | 'keep'>,
	beside: () => Readonly<Record<string, unknown>> = () => ({}),
) {
	const { top } = fieldsOf(host.kept);
	const before = typeof top === 'number' && top > 0 ? top : 0;
	let target = before > 0 ? (): void => window.scrollTo(0, before) : undefined;
	host.keep({ ...beside(), top: before });
	for (const leaving of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
		window.addEventListener(leaving, () => (target = undefined), { signal: pageEnd, passive: true, capture: true });
	}
	window.addEventListener('scrollend', () => host.keep({ ...beside(), top: Math.round(window.scrollY) }), {
		signal: pageEnd,
	});
	return {
		/** Call after content changes: the page may now be tall enough. */
		settle: () => target?.(),
		/** Replaces the scroll target until the user moves; nothing without a target. */
		aim(scroll?: () => void) {
			target = scroll;
		},
	};
}
