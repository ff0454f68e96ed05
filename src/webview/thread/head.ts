import type { ThreadHeadView } from '../../protocol/threadView.ts';
import { h } from '../dom.ts';
import { failure } from '../failure.ts';
import { icon } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import { pilled } from '../texts.ts';

/** What stands above the mails. */
export interface Head {
	readonly element: HTMLElement;
	show(view: ThreadHeadView): void;
}

/** What the head leads to. */
export interface HeadParts {
	readonly tryAgain: string;
	readonly again: () => void;
	readonly openPatchset: (id: number) => void;
}

/** The subject, once, the patchsets that the conversation holds, and of when it is where it could not be read anew. */
export function head({ tryAgain, again, openPatchset }: HeadParts): Head {
	const element = h('header', { class: 'thread-head' });
	return {
		element,
		show({ subject, list, counts, patchsets, readBefore }) {
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
				...(readBefore === ''
					? []
					: [h('div', { class: 'notice', role: 'status' }, ...failure(readBefore, tryAgain, again))]),
			);
		},
	};
}
