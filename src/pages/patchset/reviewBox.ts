import { h, pushButton } from '../dom.ts';
import type { HostLink } from '../hostLink.ts';
import type { PatchsetAction, PatchsetProtocol } from '../protocol/patchsetProtocol.ts';
import { pilled } from '../texts.ts';
import { writingBox } from '../writingBox.ts';
import { patchsetIcon } from './head.ts';
import type { PageContext } from './pageContext.ts';

/** The reader's review: a comment on the series, the count of its drafts, and its actions. */
export function reviewBox({ strings, run }: PageContext, link: HostLink<PatchsetProtocol>) {
	const act = async (action: PatchsetAction): Promise<void> => {
		if (await box.kept()) {
			run(action);
		}
	};
	const box = writingBox(
		strings,
		strings.yourComment,
		strings.commentPlaceholder,
		(text) => link.ask('keepComment', text),
		() => void act('sendReview'),
	);
	const count = h('p', { class: 'said quiet', role: 'status' });
	const button = (look: string, label: string, action: PatchsetAction): HTMLElement =>
		pushButton(look, () => void act(action), label);
	const discard = button('secondary', strings.discardReview, 'discardReview');
	const element = h(
		'section',
		{ class: 'review-box part', 'aria-labelledby': 'review-title', hidden: true },
		h('h2', { id: 'review-title' }, patchsetIcon('review'), ' ', strings.review),
		count,
		box.failed,
		box.textarea,
		h(
			'div',
			{ class: 'actions' },
			button('primary', strings.sendReview, 'sendReview'),
			button('secondary', strings.addTrailer, 'addTrailer'),
			button('secondary', strings.previewReview, 'previewReview'),
			discard,
			box.note,
		),
	);
	return {
		element,
		focus() {
			box.focus();
			element.scrollIntoView({ block: 'nearest' });
		},
		/** Text of the draft comment. */
		show: (text: string) => box.show(text),
		/** A sentence; empty without drafts. */
		count(said: string) {
			count.replaceChildren(pilled(said));
			discard.hidden = said === '';
		},
	};
}
