import type { ChangedFileView, FilesView } from '../../protocol/commitView.ts';
import { h, onClick } from '../dom.ts';
import { failure } from '../failure.ts';
import { fill } from '../fill.ts';
import { redraw } from '../redraw.ts';
import { pilled } from '../texts.ts';
import { shortLength } from './head.ts';
import type { PageWays } from './ways.ts';

/** The files that the commit changes, and against which parent. */
export interface FilesPart {
	readonly element: HTMLElement;
	/** Full ids of the parents, and what they are called as far as that is known. */
	showParents(parents: readonly string[], titles: readonly string[]): void;
	show(parent: number, view: FilesView): void;
}

/** A list that is looked at as far as it comes into view. */
export function filesPart(ways: PageWays): FilesPart {
	const { strings } = ways;
	const select = h('select', { id: 'compared-with' });
	const choice = h('p', { class: 'choice', hidden: true });
	choice.append(h('label', { for: 'compared-with' }, strings.comparedWith), ' ', select);
	const content = h('div', { class: 'part-content' });
	const element = h(
		'section',
		{ class: 'part part-files', 'aria-labelledby': 'files-title', hidden: true },
		h('h2', { id: 'files-title' }, strings.files),
		choice,
		content,
	);
	select.addEventListener('change', () => ways.compareWith(Number(select.value)));

	function nodes(view: FilesView): readonly Node[] {
		switch (view.kind) {
			case 'loading':
				return [h('p', { class: 'quiet' }, strings.loading)];
			case 'failed':
				return [h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, ways.again))];
			case 'files':
				return view.files.length === 0 && view.remarks.length === 0
					? [h('p', { class: 'quiet' }, strings.noFiles)]
					: [
							h('p', { class: 'quiet' }, view.summary),
							h('ul', { class: 'files' }, ...view.files.map((file) => fileRow(file, ways))),
							...view.remarks.map((remark) => h('p', { class: 'quiet' }, remark)),
						];
		}
	}

	return {
		element,
		showParents(parents, titles) {
			choice.hidden = parents.length < 2;
			if (select.options.length !== parents.length) {
				select.replaceChildren(...parents.map((_, at) => h('option', { value: String(at) })));
			}
			for (const [at, option] of Array.from(select.options).entries()) {
				const parent = `${parents[at]?.slice(0, shortLength) ?? ''} ${titles[at] ?? ''}`;
				option.text = fill(strings.nthParent, String(at + 1), parent.trimEnd());
			}
		},
		show(parent, view) {
			element.hidden = false;
			select.value = String(parent);
			content.setAttribute('aria-busy', String(view.kind === 'loading'));
			redraw(content, nodes(view));
		},
	};
}

function fileRow({ key, kind, path, from, facts }: ChangedFileView, { strings, openFile }: PageWays): HTMLElement {
	const text = from === undefined ? path : fill(strings.renamed, from, path);
	const open = onClick(h('button', { type: 'button', class: 'link path' }, pilled(text)), () => openFile(key));
	return h(
		'li',
		{},
		h(
			'span',
			{ class: `letter-of letter-${kind}`, title: strings.kinds[kind] },
			h('span', { 'aria-hidden': 'true' }, strings.letters[kind]),
			h('span', { class: 'read-aloud' }, strings.kinds[kind]),
		),
		h('span', { class: 'file' }, open, ...(facts === '' ? [] : [' ', h('span', { class: 'quiet' }, facts)])),
	);
}
