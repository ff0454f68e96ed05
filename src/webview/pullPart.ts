import type { MailStrings } from '../protocol/mailStrings.ts';
import type { PullView } from '../protocol/mailView.ts';
import { h } from './dom.ts';
import { linkButton } from './mailBlocks.ts';
import { pilled } from './texts.ts';

/**
 * Says that a mail asks for a branch to be pulled, and from where. Links lead only to forges that are known. `openChanges`
 * shows what pulling would bring, where the page can say of which mail.
 */
export function pullPart(
	{ repository, href, reference, referenceHref, note, hasChanges }: PullView,
	strings: MailStrings,
	openChanges?: () => void,
): HTMLElement {
	const row = (name: string, text: string, to: string | undefined): readonly Node[] => [
		h('dt', {}, name),
		h(
			'dd',
			{},
			to === undefined ? h('span', { class: 'path' }, pilled(text)) : h('a', { href: to, class: 'path' }, pilled(text)),
		),
	];
	return h(
		'section',
		{ class: 'pull' },
		h('h2', {}, strings.pull),
		h(
			'dl',
			{},
			...row(strings.repository, repository, href),
			...(reference === '' ? [] : row(strings.reference, reference, referenceHref)),
		),
		note === '' ? undefined : h('p', { class: 'quiet' }, pilled(note)),
		hasChanges && openChanges ? linkButton(strings.pullChanges, openChanges) : undefined,
	);
}
