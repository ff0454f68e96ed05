import type { PatchsetAction } from '../protocol/patchsetProtocol.ts';
import { h, onClick } from '../dom.ts';
import { pilled } from '../texts.ts';
import { patchsetIcon } from './patchsetIcons.ts';
import type { PageContext } from './pageContext.ts';

/** Keeps its buttons, so that focus survives updates. */
export function pendingReview({ strings, run }: PageContext) {
	const text = h('p', { class: 'said' });
	const button = (label: string, action: PatchsetAction): HTMLElement =>
		onClick(h('button', { class: 'secondary', type: 'button' }, label), () => run(action));
	const element = h(
		'section',
		{ class: 'pending-review', hidden: true, 'aria-label': strings.review },
		patchsetIcon('review'),
		text,
		button(strings.previewReview, 'previewReview'),
		button(strings.sendReview, 'sendReview'),
		button(strings.discardReview, 'discardReview'),
	);
	return {
		element,
		/** A sentence; empty to hide. */
		show(said: string) {
			text.replaceChildren(pilled(said));
			element.hidden = said === '';
		},
	};
}
