import { disabledBecause, h, pushButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import type { HealthView, StandingView, SuggestionView } from '../protocol/patchsetProtocol.ts';
import { pullPart } from '../pullPart.ts';
import { pilled } from '../texts.ts';
import { patchsetIcon } from './head.ts';
import type { PageContext } from './pageContext.ts';

/** Notices above the mails. */
export interface NoticesView extends Pick<StandingView, 'suggestions' | 'health' | 'pull'> {
	/** Reason against a status change; `undefined` if allowed. */
	readonly refusal: string | undefined;
}

/** Status suggestions, problems of the series, and the pull request. */
export function notices(
	{ suggestions, health, pull, refusal }: NoticesView,
	context: PageContext,
): readonly HTMLElement[] {
	return [
		...suggestions.map((suggestion) => suggestionLine(suggestion, refusal, context)),
		...(health.length === 0 ? [] : [healthList(health, context)]),
		...(pull ? [pullPart(pull, context.strings.mail)] : []),
	];
}

/** A suggestion changes nothing until a click on its button. */
function suggestionLine(suggestion: SuggestionView, refusal: string | undefined, context: PageContext): HTMLElement {
	const { title, evidence, quote, action, word, mailId, patchsetId } = suggestion;
	const evidenceButton = linkButton(
		context.strings.showEvidence,
		() => {
			if (mailId !== undefined) {
				context.ask('openMail', mailId);
			} else if (patchsetId !== undefined) {
				context.ask('openPatchset', patchsetId);
			}
		},
		title,
	);
	return h(
		'section',
		{ class: 'suggestion', 'aria-label': `${context.strings.suggestions}: ${title}` },
		patchsetIcon('suggestion'),
		h(
			'div',
			{ class: 'said' },
			h('p', {}, h('strong', {}, pilled(title)), ' ', pilled(evidence), ' ', evidenceButton),
			quote === '' ? undefined : h('blockquote', { dir: 'auto' }, pilled(quote)),
		),
		pushButton(
			{ class: 'secondary', ...disabledBecause(refusal) },
			() => {
				if (refusal === undefined) {
					context.ask('setStatus', word);
				}
			},
			action,
		),
	);
}

function healthList(health: readonly HealthView[], context: PageContext): HTMLElement {
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
				...(mailId === undefined
					? []
					: [' ', linkButton(context.strings.showMail, () => context.ask('openMail', mailId), problem)]),
			),
		),
	);
	return h(
		'section',
		{ class: 'health' },
		h('h2', { class: 'read-aloud' }, context.strings.health),
		h('ul', {}, ...rows),
	);
}
