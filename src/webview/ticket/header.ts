import type { TicketPageState, TicketPageStrings } from '../../protocol/ticketProtocol.ts';
import { h, hostHtml, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { labelChip, pilled, sentenceNodes } from '../texts.ts';
import type { Times } from '../times.ts';

export interface HeaderParts {
	readonly strings: TicketPageStrings;
	readonly times: Times;
	readonly copyReference: () => void;
	readonly openOnWeb: () => void;
}

/** The top of the page: reference, status, labels, title, who and when. */
export function header(state: TicketPageState, parts: HeaderParts): HTMLElement {
	const { strings, times } = parts;
	const reference = h(
		'button',
		{
			class: 'reference',
			type: 'button',
			title: strings.copyReference,
			'aria-label': `${state.reference}, ${strings.copyReference}`,
		},
		pilled(state.reference),
		icon('copy'),
	);
	const web = h(
		'button',
		{ class: 'bare', type: 'button', title: strings.openOnWeb, 'aria-label': strings.openOnWeb },
		icon('globe'),
	);
	return h(
		'header',
		{ class: 'ticket-head' },
		h(
			'div',
			{ class: 'facts' },
			onClick(reference, parts.copyReference),
			h('span', { class: `status status-${state.status.icon}` }, icon(state.status.icon), pilled(state.status.text)),
			labels(state, strings),
			onClick(web, parts.openOnWeb),
		),
		h('h1', {}, pilled(state.title)),
		h(
			'p',
			{ class: 'byline' },
			sentenceNodes(state.submitted),
			' ',
			times.element(state.submittedAtMs),
			...(state.assigned
				? [h('span', { class: 'dot', 'aria-hidden': 'true' }, ' · '), sentenceNodes(state.assigned)]
				: []),
		),
	);
}

/** What the ticket says. */
export function description({ descriptionHtml }: TicketPageState, strings: TicketPageStrings): HTMLElement {
	const body =
		descriptionHtml === ''
			? h('p', { class: 'quiet' }, strings.noDescription)
			: h('div', { class: 'markdown' }, hostHtml(descriptionHtml));
	return h(
		'section',
		{ class: 'description', 'aria-labelledby': 'description-title' },
		h('h2', { id: 'description-title', class: 'read-aloud' }, strings.description),
		body,
	);
}

function labels({ labels: all }: TicketPageState, strings: TicketPageStrings): HTMLElement | undefined {
	return all.length === 0
		? undefined
		: h('ul', { class: 'labels', 'aria-label': strings.labels }, ...all.map((label) => h('li', {}, labelChip(label))));
}
