import type {
	CommitPageStart,
	CommitProtocol,
	CommitAction,
	CommitPageStrings,
	CommitChange,
	ChangedFileView,
	FilesView,
	CommitHeadView,
	CommitTrailerView,
	SignatureView,
} from '../protocol/commitProtocol.ts';
import { h, onClick, pushButton } from '../dom.ts';
import { failureNotice } from '../failure.ts';
import { connectHost } from '../host.ts';
import { fieldsOf } from '../../base/lenientJson.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { redraw } from '../redraw.ts';
import { dayTime } from '../../engine/text/age.ts';
import { times, type Times } from '../times.ts';
import { voice } from '../voice.ts';
import { fill, pilled, textPieces } from '../texts.ts';
import { icon, icons } from '../icons.ts';
import { personParts, type PersonContext } from '../mailPeople.ts';
import { webButton } from '../menu.ts';
import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg';
import linkPicture from '@vscode/codicons/src/icons/link.svg';
import repo from '@vscode/codicons/src/icons/repo.svg';
import rootFolder from '@vscode/codicons/src/icons/root-folder.svg';
import verified from '@vscode/codicons/src/icons/verified-filled.svg';

const commitIcon = icons({ changes: diffMultiple, link: linkPicture, repository: repo, browse: rootFolder, verified });

/** Length of an abbreviated id. */
const shortLength = 10;

const host = connectHost<CommitProtocol>();
const { link, root } = host;

const { parent: before } = fieldsOf(host.kept);
/** Parent to compare with. Ignores invalid saved state. */
let parent = typeof before === 'number' && Number.isSafeInteger(before) && before > 0 ? before : 0;
const top = keptTop(host, () => ({ parent }));

beginPage(host, ({ strings, locale }: CommitPageStart) => {
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
	const repository = pushButton({ class: 'reference', title: strings.openRepository }, () =>
		context.run('openRepository'),
	);
	const web = webButton(strings, () => context.run('openOnWeb'));
	const facts = h('div', { class: 'facts' }, repository, h('span', { class: 'corner' }, web));
	const header = h('div', { class: 'commit-head' });
	const files = filesPart(context);
	root.replaceChildren(h('main', { class: 'column' }, h('header', {}, facts, header), seen, files.element, heard));

	function showHead(view: NonNullable<CommitChange['head']>): void {
		header.setAttribute('aria-busy', String(view.kind === 'loading'));
		switch (view.kind) {
			case 'loading':
				return redraw(header, [h('p', { class: 'quiet' }, strings.loading)]);
			case 'failed':
				files.element.hidden = true;
				return redraw(header, [failureNotice(view.reason, strings.tryAgain, context.again)]);
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
		// Existing elements get the titles, so that nothing moves under the pointer.
		header.querySelectorAll('.parent-title').forEach((place, at) => place.replaceChildren(pilled(titles[at] ?? '')));
		files.showParents(parents, titles);
	}

	let parents: readonly string[] = [];
	let titles: readonly string[] = [];
	let isAsked = false;
	return (change: CommitChange) => {
		if (change.repository !== undefined) {
			repository.replaceChildren(commitIcon('repository'), pilled(change.repository));
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
});

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
				return [failureNotice(view.reason, strings.tryAgain, context.again)];
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
	const open = pushButton('link path', () => openFile(key), pilled(text));
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

/** Title, message, author, date and parents. */
function headNodes(view: CommitHeadView, context: PageContext): readonly Node[] {
	const { strings, run } = context;
	return [
		h('h1', {}, textPieces(view.title)),
		h(
			'div',
			{ class: 'actions' },
			pushButton('primary', () => run('openChanges'), commitIcon('changes'), strings.openChanges),
			pushButton('secondary', () => run('browse'), commitIcon('browse'), strings.browse),
			pushButton('secondary', () => run('copyLink'), commitIcon('link'), strings.copyLink),
		),
		...(view.body.length === 0 ? [] : [h('div', { class: 'mail-text message' }, textPieces(view.body))]),
		...(view.trailers.length === 0 ? [] : [trailerTable(view.trailers, context)]),
		factList(view, context),
	];
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
	const fact = (name: string, ...nodes: readonly (Node | string)[]): readonly Node[] => [
		h('dt', {}, name),
		h('dd', {}, ...nodes),
	];
	const copy = h('button', { type: 'button', class: 'bare', title: strings.copyId, 'aria-label': strings.copyId });
	copy.append(icon('copy'));
	const parents = view.parents.map((id, at) => {
		const short = id.slice(0, shortLength);
		const title = fill(strings.openCommit, short);
		const button = h('button', { type: 'button', class: 'link id', title }, pilled(short));
		return h(
			'div',
			{},
			onClick(button, () => context.openParent(at)),
			' ',
			h('span', { class: 'parent-title' }),
		);
	});
	return h(
		'dl',
		{ class: 'commit-facts' },
		...fact(strings.author, ...personParts(view.author, people)),
		...(view.committer ? fact(strings.committer, ...personParts(view.committer, people)) : []),
		...fact(strings.date, dayTime(view.atMs, locale), ' (', times.element(view.atMs), ')'),
		...fact(
			strings.commit,
			h('code', {}, pilled(view.id)),
			onClick(copy, () => context.run('copyId')),
		),
		...fact(strings.parents, ...(parents.length === 0 ? [h('span', { class: 'quiet' }, strings.noParents)] : parents)),
		...fact(strings.tree, h('code', {}, pilled(view.tree))),
		...fact(strings.signature, signatureNode(view.signature)),
	);
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

/** Shared tools and actions for the parts of the page. */
interface PageContext {
	readonly strings: CommitPageStrings;
	/** BCP 47 tag. */
	readonly locale: string;
	readonly times: Times;
	readonly run: (action: CommitAction) => void;
	readonly again: () => void;
	readonly compareWith: (parent: number) => void;
	readonly openFile: (key: number) => void;
	readonly openParent: (at: number) => void;
	readonly people: PersonContext;
}
