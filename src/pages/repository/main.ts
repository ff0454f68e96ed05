import { decodedPart } from '../../base/decodedPart.ts';
import type { RepositoryPageStart, RepositoryProtocol } from '../protocol/repositoryProtocol.ts';
import type {
	CommitRowView,
	ReadmeView,
	RepositoryChange,
	PartView,
	ReferenceGroupView,
	ReferenceRowView,
	ReferencesView,
} from '../protocol/repositoryView.ts';
import { h, hostHtml, onClick } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { clonePart, head, type PageContext, repositoryIcon } from './head.ts';
import { fill } from '../fill.ts';
import { linkButton } from '../mailBlocks.ts';
import { pilled, dot } from '../texts.ts';
import { textPieces } from '../textPieces.ts';
import { failure } from '../failure.ts';
import { redraw } from '../redraw.ts';

/** Rows shown per kind before "Show All". */
const shownAtFirst = 5;

const host = connectHost<RepositoryProtocol>();
const { link, root } = host;
const top = keptTop(host);

/** Builds the page once. Later changes only update the parts that differ. */
function build({ strings, locale }: RepositoryPageStart): (change: RepositoryChange) => void {
	const { seen, heard, done } = voice();
	const context: PageContext = {
		strings,
		times: times(locale),
		// The other commands report their own results.
		run: (action) =>
			done(link.ask('run', action), action.startsWith('copy') && action !== 'copyLink' ? strings.copied : ''),
		again: () => done(link.ask('again', undefined)),
		moreReferences: () => done(link.ask('moreReferences', undefined)),
		openCommit: (id) => done(link.ask('openCommit', id)),
		openReference: (revision) => done(link.ask('openReference', revision)),
	};
	const header = head(context);
	const clone = clonePart(context);
	const drawReferences = referenceList(new Set(), context);
	const readme = part<ReadmeView>(context, 'readme', strings.readme, (view) => readmeNodes(view, context));
	const commits = part<readonly CommitRowView[]>(context, 'commits', strings.commits, (view) =>
		commitList(view, context),
	);
	const references = part(context, 'references', strings.references, drawReferences);
	const overview = h(
		'div',
		{ class: 'overview' },
		commits.element,
		h('div', { class: 'beside' }, clone.element, references.element),
		readme.element,
	);
	root.replaceChildren(h('main', { class: 'column' }, header.element, seen, overview, heard));
	return (change) => {
		if (change.head) {
			header.show(change.head);
			clone.show(change.head.clone);
		}
		if (change.readBefore !== undefined) {
			header.showReadBefore(change.readBefore);
		}
		if (change.about) {
			header.showAbout(change.about);
		}
		if (change.push) {
			clone.showPush(change.push);
			header.showEmpty(change.push.length > 0);
		}
		if (change.commits) {
			commits.show(change.commits);
		}
		if (change.references) {
			references.show(change.references);
		}
		if (change.readme) {
			readme.show(change.readme);
		}
		top.settle();
	};
}

beginPage(host, build, (href) => {
	const isWithin = href.startsWith('#');
	if (isWithin) {
		top.aim();
		revealHeading(href);
	}
	return isWithin;
});

/** README with its name, which opens it in the editor. */
function readmeNodes(view: ReadmeView, { strings, run }: PageContext): readonly Node[] {
	const open = linkButton(fill(strings.openNamed, view.name), () => run('openReadme'));
	return [h('p', { class: 'readme-name' }, open), readmeNode(view)];
}

function readmeNode(view: ReadmeView): HTMLElement {
	switch (view.kind) {
		case 'markdown': {
			const element = h('div', { class: 'markdown readme' }, hostHtml(view.html));
			for (const picture of element.querySelectorAll('img')) {
				picture.decoding = 'async';
			}
			return element;
		}
		case 'text':
			return h('div', { class: 'mail-text readme' }, textPieces(view.pieces));
		case 'unfit':
			return h('p', { class: 'quiet' }, pilled(view.text));
	}
}

/** Scrolls to the heading of a link within the README, or to the start of the README. */
function revealHeading(fragment: string): void {
	const encoded = fragment.slice(1);
	const name = decodedPart(encoded) ?? encoded;
	const named = [...document.querySelectorAll<HTMLElement>('[data-anchor]')].find(
		({ dataset: { anchor } }) => anchor !== '' && (anchor === name || anchor === name.toLowerCase()),
	);
	const heading = named ?? (/^(?:top)?$/i.test(name) ? document.querySelector<HTMLElement>('#readme-title') : null);
	heading?.setAttribute('tabindex', '-1');
	heading?.focus({ preventScroll: true });
	heading?.scrollIntoView({ block: 'start' });
}

/** A part with its own loading and error state. Keeps its content until new content arrives. `name`: id prefix. */
function part<T>({ strings, again }: PageContext, name: string, title: string, draw: (value: T) => readonly Node[]) {
	const content = h('div', { class: 'part-content' });
	const element = h(
		'section',
		{ class: `part part-${name}`, 'aria-labelledby': `${name}-title` },
		h('h2', { id: `${name}-title` }, title),
		content,
	);
	return {
		element,
		show(view: PartView<T>) {
			element.hidden = view.kind === 'hidden';
			content.setAttribute('aria-busy', String(view.kind === 'loading'));
			switch (view.kind) {
				case 'hidden':
					return redraw(content, []);
				case 'loading':
					return redraw(content, [h('p', { class: 'quiet' }, strings.loading)]);
				case 'failed':
					return redraw(content, [h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, again))]);
				case 'shown':
					return redraw(content, draw(view.value));
			}
		},
	};
}

/** The latest commits with links. */
function commitList(commits: readonly CommitRowView[], context: PageContext): readonly Node[] {
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
function referenceList(all: Set<string>, context: PageContext): (view: ReferencesView) => readonly Node[] {
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
