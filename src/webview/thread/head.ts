import type { ThreadHeadView } from '../../protocol/threadView.ts';
import { h } from '../dom.ts';
import { icon } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import { pilled } from '../texts.ts';

/** What stands above the mails. */
export interface Head {
	readonly element: HTMLElement;
	show(view: ThreadHeadView): void;
}

/** The subject, once, and the patchsets that the conversation holds. */
export function head(openPatchset: (id: number) => void): Head {
	const element = h('header', { class: 'thread-head' });
	return {
		element,
		show({ subject, list, counts, patchsets }) {
			const links = patchsets.map(({ id, text }) =>
				h(
					'span',
					{ class: 'patchset-link' },
					icon('patchset'),
					linkButton(text, () => openPatchset(id)),
				),
			);
			element.replaceChildren(
				h('p', { class: 'quiet' }, pilled(list)),
				h('h1', {}, pilled(subject)),
				h('p', { class: 'byline' }, h('span', {}, counts), ...links),
			);
		},
	};
}
