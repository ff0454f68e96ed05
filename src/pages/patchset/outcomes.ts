import { h, pushButton } from '../dom.ts';
import { linkButton } from '../mailBlocks.ts';
import type { OutcomeView, OwnDraftView, OwnReviewView } from '../protocol/patchsetProtocol.ts';
import { dot, pilled } from '../texts.ts';
import { ifOther } from './head.ts';
import type { PageContext } from './pageContext.ts';

/** The reader's comments and drafts on earlier versions. Takes no place without any. */
export function ownReview(context: PageContext) {
	const element = h('div', { class: 'own-review' });
	/** Sections by key, so that folded ones stay folded. */
	const sections = new Map<string, ReturnType<typeof section>>();

	const show = ifOther(({ comments, drafts }: OwnReviewView) => {
		const shown: HTMLElement[] = [];
		const put = (key: string, title: string, rows: readonly HTMLElement[], below: readonly HTMLElement[]): void => {
			const known = sections.get(key) ?? section();
			sections.set(key, known);
			known.title.replaceChildren(pilled(title));
			known.body.replaceChildren(h('ul', { class: 'outcomes' }, ...rows), ...below);
			shown.push(known.element);
		};
		for (const { key, title, rows, move } of drafts) {
			const below = move ? [pushButton('secondary', () => context.run(move.action), move.text)] : [];
			put(
				key,
				title,
				rows.map((row) => draftRow(row, context)),
				below,
			);
		}
		if (comments) {
			put(
				'comments',
				comments.title,
				comments.rows.map((row) => outcomeRow(row, context)),
				[],
			);
		}
		if (shown.length !== element.childElementCount || shown.some((each, at) => element.children[at] !== each)) {
			element.replaceChildren(...shown);
		}
	});
	return { element, show };
}

function section() {
	const title = h('h2');
	const body = h('div');
	const element = h('details', { class: 'part own', open: true }, h('summary', {}, title), body);
	return { element, title, body };
}

function outcomeRow({ mailId, index, text, place, outcome, hunk, reply }: OutcomeView, context: PageContext) {
	const { strings, ask, goTo } = context;
	return h(
		'li',
		{},
		h(
			'p',
			{},
			linkButton(text, () => ask('openOutcome', { mail: mailId, comment: index })),
			' ',
			...aside([place, outcome]),
		),
		...lines(hunk, `${strings.changedLines}: ${text}`),
		...(reply
			? [
					h(
						'p',
						{ class: 'answer' },
						linkButton(reply.text, () => goTo(reply.mailId), strings.reply),
					),
				]
			: []),
	);
}

function draftRow({ id, text, place, state, lines: old }: OwnDraftView, context: PageContext) {
	return h(
		'li',
		{},
		h(
			'p',
			{},
			linkButton(text, () => context.ask('openDraft', id)),
			' ',
			...aside([place, state]),
		),
		...lines(old, `${context.strings.oldLines}: ${text}`),
	);
}

function aside(texts: readonly string[]): readonly HTMLElement[] {
	const parts = texts.filter((each) => each !== '').flatMap((each) => [dot(), h('span', {}, pilled(each))]);
	return [h('span', { class: 'quiet' }, ...parts.slice(1))];
}

/** Lines of a diff. Their signs say what their colours say. */
function lines(texts: readonly string[], label: string): readonly HTMLElement[] {
	return texts.length === 0
		? []
		: [
				h(
					'pre',
					{ class: 'hunk', role: 'group', 'aria-label': label, tabindex: '0', dir: 'ltr' },
					...texts.map((text) =>
						h('span', { class: text.startsWith('+') ? 'new' : text.startsWith('-') ? 'old' : '' }, pilled(text), '\n'),
					),
				),
			];
}
