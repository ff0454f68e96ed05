import type { CommitHeadView, CommitTrailerView, SignatureView } from '../protocol/commitView.ts';
import { h, onClick } from '../dom.ts';
import { fill } from '../fill.ts';
import { icon, picture } from '../icons.ts';
import { personParts } from '../mailPeople.ts';
import { webButton } from '../moreMenu.ts';
import { pilled } from '../texts.ts';
import { textPieces } from '../textPieces.ts';
import type { PageContext } from './pageContext.ts';
import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg';
import link from '@vscode/codicons/src/icons/link.svg';
import repo from '@vscode/codicons/src/icons/repo.svg';
import rootFolder from '@vscode/codicons/src/icons/root-folder.svg';
import verified from '@vscode/codicons/src/icons/verified-filled.svg';

/** Length of an abbreviated id. */
export const shortLength = 10;

/** The bar above the commit, independent of its loading state. */
export function bar({ strings, run }: PageContext): { readonly element: HTMLElement; show(repository: string): void } {
	const repository = onClick(h('button', { type: 'button', class: 'reference', title: strings.openRepository }), () =>
		run('openRepository'),
	);
	const web = webButton(strings, () => run('openOnWeb'));
	return {
		element: h('div', { class: 'facts' }, repository, h('span', { class: 'corner' }, web)),
		show(name) {
			repository.replaceChildren(commitIcon('repository'), pilled(name));
		},
	};
}

/** Title, message, author, date and parents. */
export function headNodes(view: CommitHeadView, context: PageContext): readonly Node[] {
	return [
		h('h1', {}, textPieces(view.title)),
		buttons(context),
		...(view.body.length === 0 ? [] : [h('div', { class: 'mail-text message' }, textPieces(view.body))]),
		...(view.trailers.length === 0 ? [] : [trailerTable(view.trailers, context)]),
		factList(view, context),
	];
}

function buttons({ strings, run }: PageContext): HTMLElement {
	return h(
		'div',
		{ class: 'actions' },
		onClick(h('button', { class: 'primary', type: 'button' }, commitIcon('changes'), strings.openChanges), () =>
			run('openChanges'),
		),
		onClick(h('button', { class: 'secondary', type: 'button' }, commitIcon('browse'), strings.browse), () =>
			run('browse'),
		),
		onClick(h('button', { class: 'secondary', type: 'button' }, commitIcon('link'), strings.copyLink), () =>
			run('copyLink'),
		),
	);
}

function trailerTable(trailers: readonly CommitTrailerView[], { strings, people }: PageContext): HTMLElement {
	const rows = trailers.map(({ key, person, pieces }) =>
		h(
			'tr',
			{},
			h('th', { scope: 'row' }, pilled(key)),
			h('td', {}, ...(person ? personParts(person, people) : [textPieces(pieces)])),
		),
	);
	return h(
		'table',
		{ class: 'trailers' },
		h('caption', { class: 'read-aloud' }, strings.trailers),
		h(
			'thead',
			{ class: 'read-aloud' },
			h('tr', {}, h('th', { scope: 'col' }, strings.trailer), h('th', { scope: 'col' }, strings.value)),
		),
		h('tbody', {}, ...rows),
	);
}

function factList(view: CommitHeadView, context: PageContext): HTMLElement {
	const { strings, people, times, locale } = context;
	const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
	const fact = (name: string, ...nodes: readonly (Node | string)[]): readonly Node[] => [
		h('dt', {}, name),
		h('dd', {}, ...nodes),
	];
	const copy = h('button', { type: 'button', class: 'bare', title: strings.copyId, 'aria-label': strings.copyId });
	copy.append(icon('copy'));
	return h(
		'dl',
		{ class: 'commit-facts' },
		...fact(strings.author, ...personParts(view.author, people)),
		...(view.committer ? fact(strings.committer, ...personParts(view.committer, people)) : []),
		...fact(strings.date, absolute.format(view.atMs), ' (', times.element(view.atMs), ')'),
		...fact(
			strings.commit,
			h('code', {}, pilled(view.id)),
			onClick(copy, () => context.run('copyId')),
		),
		...fact(strings.parents, ...parentNodes(view.parents, context)),
		...fact(strings.tree, h('code', {}, pilled(view.tree))),
		...fact(strings.signature, signatureNode(view.signature)),
	);
}

function parentNodes(parents: readonly string[], { strings, openParent }: PageContext): readonly (Node | string)[] {
	if (parents.length === 0) {
		return [h('span', { class: 'quiet' }, strings.noParents)];
	}
	return parents.map((id, at) => {
		const short = id.slice(0, shortLength);
		const title = fill(strings.openCommit, short);
		const button = h('button', { type: 'button', class: 'link id', title }, pilled(short));
		return h(
			'div',
			{},
			onClick(button, () => openParent(at)),
			' ',
			h('span', { class: 'parent-title' }),
		);
	});
}

/** Adds the parents' titles to existing elements, so that nothing moves under the pointer. */
export function showParentTitles(head: HTMLElement, titles: readonly string[]): void {
	head.querySelectorAll('.parent-title').forEach((place, at) => place.replaceChildren(pilled(titles[at] ?? '')));
}

function signatureNode({ text, tone }: SignatureView): HTMLElement {
	switch (tone) {
		case 'none':
			return h('span', {}, pilled(text));
		case 'good':
			return h('span', { class: 'tone-good' }, commitIcon('verified'), h('span', {}, pilled(text)));
		case 'bad':
			return h('span', { class: 'tone-bad' }, icon('warning'), h('span', {}, pilled(text)));
	}
}

const pictures = { changes: diffMultiple, link, repository: repo, browse: rootFolder, verified } as const;

/** Decorative icon, because text says the same. */
function commitIcon(name: keyof typeof pictures): HTMLElement {
	return picture(pictures[name], name);
}
