import pass from '@vscode/codicons/src/icons/pass.svg';
import question from '@vscode/codicons/src/icons/question.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import { h } from '../dom.ts';
import { icon, icons } from '../icons.ts';
import { linkButton } from '../mailBlocks.ts';
import { personParts } from '../mailPeople.ts';
import type { TrailerBytesView, TrailersView } from '../protocol/patchsetProtocol.ts';
import type { PageContext } from './pageContext.ts';

/** One row for each person. */
export function trailerTable(trailers: readonly TrailersView[], context: PageContext): HTMLElement {
	const { strings } = context;
	const rows = trailers.map(({ person, given }) => {
		const items = given.map(({ key, patches, standing, isForOther, mailId, bytes }) =>
			h(
				'li',
				{},
				linkButton(key, () => context.goTo(mailId), person.name),
				` ${patches} `,
				isForOther
					? h('span', { class: 'for-other' }, icon('warning'), standing)
					: h('span', { class: 'quiet' }, standing),
				...bytes.map((each) => bytesLine(each, `${key} ${person.name}`, context)),
			),
		);
		const who = h('td', {}, h('span', {}, ...personParts(person, context.people)));
		return h('tr', {}, who, h('td', {}, h('ul', { class: 'given' }, ...items)));
	});
	const heads = [strings.person, strings.given].map((head) => h('th', { scope: 'col' }, head));
	return h(
		'section',
		{ class: 'part' },
		h('h2', {}, strings.trailers),
		h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows)),
	);
}

const bytesIcon = icons<TrailerBytesView['kind']>({
	these: pass,
	sameChanges: pass,
	other: warning,
	unknown: question,
});

/** The class in words, and the way to the difference. */
function bytesLine(
	{ kind, text, patches, patchsetId }: TrailerBytesView,
	about: string,
	{ strings, ask }: PageContext,
): HTMLElement {
	return h(
		'div',
		{ class: `bytes bytes-${kind}` },
		bytesIcon(kind),
		h(
			'span',
			{},
			...(patches === '' ? [] : [`${patches}: `]),
			text,
			...(patchsetId === undefined
				? []
				: [' ', linkButton(strings.showDifference, () => ask('compareVersion', patchsetId), about)]),
		),
	);
}
