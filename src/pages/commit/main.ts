import type { CommitPageStart, CommitProtocol } from '../protocol/commitProtocol.ts';
import type { CommitChange, ChangedFileView, FilesView } from '../protocol/commitView.ts';
import { h, onClick } from '../dom.ts';
import { failure } from '../failure.ts';
import { connectHost } from '../host.ts';
import { fieldsOf } from '../../base/looseJson.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { redraw } from '../redraw.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { bar, headNodes, showParentTitles, shortLength } from './head.ts';
import type { PageContext } from './pageContext.ts';
import { fill } from '../fill.ts';
import { pilled } from '../texts.ts';

const host = connectHost<CommitProtocol>();
const { link, root } = host;

/** Parent to compare with. */
let parent = keptParent(host.kept);
const top = keptTop(host, () => ({ parent }));

/** Ignores invalid saved state. */
function keptParent(kept: unknown): number {
	const { parent: before } = fieldsOf(kept);
	return typeof before === 'number' && Number.isSafeInteger(before) && before > 0 ? before : 0;
}

/** Builds the page once. Later changes only update the parts that differ. */
function build({ strings, locale }: CommitPageStart): (change: CommitChange) => void {
	const { seen, heard, done } = voice();
	const context: PageContext = {
		strings,
		locale,
		times: times(locale),
		run: (action) => done(link.ask('run', action), action === 'copyId' ? strings.copied : ''),
		again: () => done(link.ask('again', undefined)),
		compareWith: (at) => {
			parent = at;
			host.keep({ parent, top: Math.round(window.scrollY) });
			done(link.ask('compareWith', at));
		},
		openFile: (key) => done(link.ask('openFile', key)),
		openParent: (at) => done(link.ask('openParent', at)),
		people: { strings, openPerson: (name) => done(link.ask('openPerson', name)) },
	};
	const above = bar(context);
	const header = h('div', { class: 'commit-head' });
	const files = filesPart(context);
	root.replaceChildren(
		h('main', { class: 'column' }, h('header', {}, above.element, header), seen, files.element, heard),
	);

	function showHead(view: NonNullable<CommitChange['head']>): void {
		header.setAttribute('aria-busy', String(view.kind === 'loading'));
		switch (view.kind) {
			case 'loading':
				return redraw(header, [h('p', { class: 'quiet' }, strings.loading)]);
			case 'failed':
				files.element.hidden = true;
				return redraw(header, [
					h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, context.again)),
				]);
			case 'shown': {
				redraw(header, headNodes(view.value, context));
				parents = view.value.parents;
				showTitles();
				// Restores the parent chosen before a reload, once.
				if (parent > 0 && parent < view.value.parents.length && !isAsked) {
					isAsked = true;
					context.compareWith(parent);
				}
			}
		}
	}

	function showTitles(): void {
		showParentTitles(header, titles);
		files.showParents(parents, titles);
	}

	let parents: readonly string[] = [];
	let titles: readonly string[] = [];
	let isAsked = false;
	return (change) => {
		if (change.repository !== undefined) {
			above.show(change.repository);
		}
		if (change.head) {
			showHead(change.head);
		}
		if (change.parentTitles) {
			titles = change.parentTitles;
			showTitles();
		}
		if (change.files) {
			files.show(change.files.parent, change.files.view);
		}
		top.settle();
	};
}

beginPage(host, build);

/** A list with lazy layout. */
function filesPart(context: PageContext) {
	const { strings } = context;
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
	select.addEventListener('change', () => context.compareWith(Number(select.value)));

	function nodes(view: FilesView): readonly Node[] {
		switch (view.kind) {
			case 'loading':
				return [h('p', { class: 'quiet' }, strings.loading)];
			case 'failed':
				return [h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, context.again))];
			case 'files':
				return view.files.length === 0 && view.remarks.length === 0
					? [h('p', { class: 'quiet' }, strings.noFiles)]
					: [
							h('p', { class: 'quiet' }, view.summary),
							h('ul', { class: 'files' }, ...view.files.map((file) => fileRow(file, context))),
							...view.remarks.map((remark) => h('p', { class: 'quiet' }, remark)),
						];
		}
	}

	return {
		element,
		/** Full ids of the parents, with their known titles. */
		showParents(parents: readonly string[], titles: readonly string[]) {
			choice.hidden = parents.length < 2;
			if (select.options.length !== parents.length) {
				select.replaceChildren(...parents.map((_, at) => h('option', { value: String(at) })));
			}
			for (const [at, option] of Array.from(select.options).entries()) {
				const parent = `${parents[at]?.slice(0, shortLength) ?? ''} ${titles[at] ?? ''}`;
				option.text = fill(strings.nthParent, String(at + 1), parent.trimEnd());
			}
		},
		show(parent: number, view: FilesView) {
			element.hidden = false;
			select.value = String(parent);
			content.setAttribute('aria-busy', String(view.kind === 'loading'));
			redraw(content, nodes(view));
		},
	};
}

function fileRow({ key, kind, path, from, facts }: ChangedFileView, { strings, openFile }: PageContext): HTMLElement {
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
