import type { HealthView, StandingView, SuggestionView } from '../../protocol/patchsetView.ts';
import { h, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import { pullPart } from '../pullPart.ts';
import { pilled } from '../texts.ts';
import { patchsetIcon } from './patchsetIcons.ts';
import type { PageWays } from './ways.ts';

/** What of the mails is to be noticed first. */
export type NoticesView = Pick<StandingView, 'suggestions' | 'health' | 'pull'>;

/** What speaks for another status, what is wrong with the series, and what is to be pulled. */
export function notices({ suggestions, health, pull }: NoticesView, ways: PageWays): readonly HTMLElement[] {
	return [
		...suggestions.map((suggestion) => suggestionLine(suggestion, ways)),
		...(health.length === 0 ? [] : [healthList(health, ways)]),
		...(pull ? [pullPart(pull, ways.strings.mail)] : []),
	];
}

/** Nothing happens by itself: the button does it. */
function suggestionLine(suggestion: SuggestionView, ways: PageWays): HTMLElement {
	const { title, evidence, quote, action, word, mailId, patchsetId } = suggestion;
	const look = (): void => {
		if (mailId !== undefined) {
			ways.openMail(mailId);
		} else if (patchsetId !== undefined) {
			ways.openPatchset(patchsetId);
		}
	};
	return h(
		'section',
		{ class: 'suggestion', 'aria-label': `${ways.strings.suggestions}: ${title}` },
		patchsetIcon('suggestion'),
		h(
			'div',
			{ class: 'said' },
			h(
				'p',
				{},
				h('strong', {}, pilled(title)),
				' ',
				pilled(evidence),
				' ',
				linkButton(ways.strings.showEvidence, look, title),
			),
			quote === '' ? undefined : h('blockquote', {}, pilled(quote)),
		),
		onClick(h('button', { class: 'secondary', type: 'button' }, action), () => ways.setStatus(word)),
	);
}

function healthList(health: readonly HealthView[], ways: PageWays): HTMLElement {
	const rows = health.map(({ problem, advice, mailId }) =>
		h(
			'li',
			{},
			icon('warning'),
			h(
				'span',
				{},
				h('span', {}, pilled(problem)),
				' ',
				h('span', { class: 'quiet' }, pilled(advice)),
				...(mailId === undefined ? [] : [' ', linkButton(ways.strings.showMail, () => ways.openMail(mailId), problem)]),
			),
		),
	);
	return h('section', { class: 'health' }, h('h2', { class: 'read-aloud' }, ways.strings.health), h('ul', {}, ...rows));
}
