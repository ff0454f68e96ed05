import type { RepositoryHeadView } from '../protocol/repositoryView.ts';
import type { RepositoryAction } from '../protocol/repositoryProtocol.ts';
import { h, onClick } from '../dom.ts';
import { fill } from '../fill.ts';
import { icon } from '../icons.ts';
import { pilled } from '../texts.ts';
import type { PageContext } from './pageContext.ts';

/** Addresses with copy buttons. */
export function clonePart({ strings, run }: PageContext) {
	const addresses = h('dl');
	const push = h('div', { class: 'push' });
	const element = h(
		'section',
		{ class: 'part part-clone', 'aria-labelledby': 'clone-title', hidden: true },
		push,
		h('h2', { id: 'clone-title' }, strings.clone),
		addresses,
	);
	const copyButton = (text: string, action: RepositoryAction): HTMLElement => {
		const label = fill(strings.copyNamed, text);
		const button = h('button', { type: 'button', class: 'bare', title: label, 'aria-label': label }, icon('copy'));
		return onClick(button, () => run(action));
	};
	const row = (name: string, address: string | undefined, action: RepositoryAction): readonly Node[] =>
		address === undefined
			? []
			: [h('dt', {}, name), h('dd', {}, h('code', {}, pilled(address)), copyButton(address, action))];
	return {
		element,
		show(clone: RepositoryHeadView['clone']) {
			element.hidden = clone === undefined;
			addresses.replaceChildren(
				...(clone
					? [
							...row(strings.readOnly, clone.readOnly, 'copyReadOnly'),
							...row(strings.readWrite, clone.readWrite, 'copyReadWrite'),
						]
					: []),
			);
		},
		/** Commands for the first push; empty for a nonempty repository. */
		showPush(commands: readonly string[]) {
			const text = commands.join('\n');
			push.replaceChildren(
				...(commands.length === 0
					? []
					: [
							h('p', {}, h('strong', {}, strings.empty)),
							h('p', { class: 'quiet' }, strings.howToPush),
							h('div', { class: 'commands' }, h('pre', { tabindex: '0' }, pilled(text)), copyButton(text, 'copyPush')),
						]),
			);
		},
	};
}
