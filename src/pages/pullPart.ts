import type { MailStrings, PullView } from './protocol/pageProtocol.ts';
import { h } from './dom.ts';
import { linkButton } from './mailBlocks.ts';
import { pilled } from './texts.ts';

/** Actions for a pull request. */
export interface PullActions {
	/** Shows the changes of the pull request. */
	readonly openChanges: () => void;
	readonly copyFetchCommand: () => void;
	/** Fetches into an open clone. */
	readonly fetch: () => void;
}

/** Shows a pull request. Links lead only to known forges. */
export function pullPart(
	{ repository, href, reference, referenceHref, note, hasChanges, canFetch }: PullView,
	strings: MailStrings,
	actions?: PullActions,
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
		actions &&
			h(
				'div',
				{ class: 'mail-actions' },
				...(hasChanges ? [linkButton(strings.pullChanges, actions.openChanges)] : []),
				...(canFetch
					? [
							linkButton(strings.fetchPull, actions.fetch),
							linkButton(strings.copyFetchCommand, actions.copyFetchCommand),
						]
					: []),
			),
	);
}
