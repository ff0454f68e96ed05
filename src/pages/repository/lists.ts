import type {
	CommitRowView,
	ReferenceGroupView,
	ReferenceRowView,
	ReferencesView,
} from '../protocol/repositoryView.ts';
import { h, onClick } from '../dom.ts';
import { fill } from '../fill.ts';
import { dot, pilled } from '../texts.ts';
import { repositoryIcon } from './repositoryIcons.ts';
import type { PageContext } from './pageContext.ts';

/** Rows shown per kind before "Show All". */
const shownAtFirst = 5;

/** The latest commits with links. */
export function commitList(commits: readonly CommitRowView[], context: PageContext): readonly Node[] {
	return commits.length === 0
		? [h('p', { class: 'quiet' }, context.strings.noCommits)]
		: [h('ul', { class: 'rows' }, ...commits.map((commit) => commitRow(commit, context)))];
}

function commitRow(
	{ id, shortId, title, author, atMs }: CommitRowView,
	{ openCommit, times }: PageContext,
): HTMLElement {
	const opener = h('button', { class: 'row-title', type: 'button' }, repositoryIcon('commit'), titleOf(title));
	return h(
		'li',
		{ class: 'row' },
		onClick(opener, () => openCommit(id)),
		h(
			'div',
			{ class: 'row-facts' },
			h('span', {}, pilled(author)),
			dot(),
			times.element(atMs),
			dot(),
			h('span', { class: 'id' }, pilled(shortId)),
		),
	);
}

function titleOf(text: string): HTMLElement {
	return h('span', { class: 'title' }, pilled(text));
}

/** `all`: kinds with "Show All" active; reset when the page closes. */
export function referenceList(all: Set<string>, context: PageContext): (view: ReferencesView) => readonly Node[] {
	const { strings } = context;
	return ({ groups, isMore }) => [
		...groups.map((group) => groupNode(group, all, context)),
		...(groups.length === 0 ? [h('p', { class: 'quiet' }, strings.noReferences)] : []),
		...(isMore
			? [onClick(h('button', { type: 'button', class: 'secondary more' }, strings.showMore), context.moreReferences)]
			: []),
	];
}

function groupNode({ kind, rows, left }: ReferenceGroupView, all: Set<string>, context: PageContext): HTMLElement {
	const { strings } = context;
	const title = { branch: strings.branches, tag: strings.tags, other: strings.others }[kind];
	const isWhole = all.has(kind) || rows.length <= shownAtFirst + 2;
	const list = h('ul', { class: 'rows references' });
	const fillList = (shown: readonly ReferenceRowView[]): void =>
		list.append(...shown.map((row) => referenceRow(kind, row, context)));
	fillList(isWhole ? rows : rows.slice(0, shownAtFirst));
	const showAll = h('button', {
		type: 'button',
		class: 'link',
		'aria-label': `${fill(strings.showAll, String(rows.length))}, ${title}`,
	});
	showAll.textContent = fill(strings.showAll, String(rows.length));
	onClick(showAll, () => {
		all.add(kind);
		fillList(rows.slice(shownAtFirst));
		list.querySelectorAll('button')[shownAtFirst]?.focus();
		showAll.remove();
	});
	const rest = left === 0 ? [] : [h('p', { class: 'quiet' }, fill(strings.leftOut, String(left)))];
	const count = h('span', { class: 'count' }, ` ${rows.length + left}`);
	return h('div', { class: 'group' }, h('h3', {}, title, count), list, ...(isWhole ? [] : [showAll]), ...rest);
}

function referenceRow(
	kind: ReferenceGroupView['kind'],
	{ revision, name, isDefault }: ReferenceRowView,
	{ strings, openReference }: PageContext,
): HTMLElement {
	const title = fill(strings.mountNamed, name);
	const opener = h('button', { class: 'row-title', type: 'button', title }, repositoryIcon(kind), titleOf(name));
	return h(
		'li',
		{ class: 'row reference-row' },
		onClick(opener, () => openReference(revision)),
		isDefault ? h('span', { class: 'mark' }, strings.isDefault) : undefined,
	);
}
