import { decodedPart } from '@forge-desk/base/decodedPart.ts';
import type {
	RepositoryPageStart,
	RepositoryProtocol,
	RepositoryAction,
	RepositoryPageStrings,
	CommitRowView,
	ReadmeView,
	RepositoryChange,
	PartView,
	ReferenceGroupView,
	ReferenceRowView,
	ReferencesView,
	AboutView,
	RepositoryHeadView,
} from '../protocol/repositoryProtocol.ts';
import { h, onClick, pushButton, setAttributes } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { times, type Times } from '../times.ts';
import { voice } from '../voice.ts';
import { fill, fillElement, markdownText, pilled, dot, textPieces } from '../texts.ts';
import { linkButton } from '../mailBlocks.ts';
import { failureNotice } from '../failure.ts';
import { redraw } from '../redraw.ts';
import { icon, icons } from '../icons.ts';
import { moreMenu } from '../menu.ts';
import { referenceButton } from '../referenceButton.ts';
import bookmark from '@vscode/codicons/src/icons/bookmark.svg';
import gitBranch from '@vscode/codicons/src/icons/git-branch.svg';
import gitCommit from '@vscode/codicons/src/icons/git-commit.svg';
import gitCompare from '@vscode/codicons/src/icons/git-compare.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import repoClone from '@vscode/codicons/src/icons/repo-clone.svg';
import rootFolder from '@vscode/codicons/src/icons/root-folder.svg';
import tag from '@vscode/codicons/src/icons/tag.svg';

const repositoryIcon = icons({
	branch: gitBranch,
	tag,
	other: bookmark,
	commit: gitCommit,
	mount: rootFolder,
	goToFile,
	clone: repoClone,
	compare: gitCompare,
});

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
	const readme = part<ReadmeView>(context, 'readme', strings.readme, (view) => readmeNodes(view, context));
	const commits = part<readonly CommitRowView[]>(context, 'commits', strings.commits, (view) =>
		view.length === 0
			? [h('p', { class: 'quiet' }, strings.noCommits)]
			: [h('ul', { class: 'rows' }, ...view.map((commit) => commitRow(commit, context)))],
	);
	/** Kinds with "Show All" active; reset when the page closes. */
	const whole = new Set<string>();
	const references = part<ReferencesView>(context, 'references', strings.references, ({ groups, isMore }) => [
		...groups.map((group) => groupNode(group, whole, context)),
		...(groups.length === 0 ? [h('p', { class: 'quiet' }, strings.noReferences)] : []),
		...(isMore ? [pushButton('secondary more', context.moreReferences, strings.showMore)] : []),
	]);
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
	const name = h('p', { class: 'readme-name' }, open);
	switch (view.kind) {
		case 'markdown': {
			const element = markdownText(view.html, 'readme');
			for (const picture of element.querySelectorAll('img')) {
				picture.decoding = 'async';
			}
			return [name, element];
		}
		case 'text':
			return [name, h('div', { class: 'mail-text readme' }, textPieces(view.pieces))];
		case 'unfit':
			return [name, h('p', { class: 'quiet' }, pilled(view.text))];
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
					return redraw(content, [failureNotice(view.reason, strings.tryAgain, again)]);
				case 'shown':
					return redraw(content, draw(view.value));
			}
		},
	};
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

function groupNode({ kind, rows, left }: ReferenceGroupView, all: Set<string>, context: PageContext): HTMLElement {
	const { strings } = context;
	const title = { branch: strings.branches, tag: strings.tags, other: strings.others }[kind];
	const isWhole = all.has(kind) || rows.length <= shownAtFirst + 2;
	const list = h('ul', { class: 'rows references' });
	const fillList = (shown: readonly ReferenceRowView[]): void =>
		list.append(
			...shown.map(({ revision, name, isDefault }) => {
				const attributes = { class: 'row-title', type: 'button', title: fill(strings.mountNamed, name) };
				return h(
					'li',
					{ class: 'row reference-row' },
					onClick(h('button', attributes, repositoryIcon(kind), titleOf(name)), () => context.openReference(revision)),
					isDefault ? h('span', { class: 'mark' }, strings.isDefault) : undefined,
				);
			}),
		);
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

/** Shared tools and actions for the parts of the page. */
interface PageContext {
	readonly strings: RepositoryPageStrings;
	readonly times: Times;
	readonly run: (action: RepositoryAction) => void;
	readonly again: () => void;
	readonly moreReferences: () => void;
	readonly openCommit: (id: string) => void;
	readonly openReference: (revision: string) => void;
}

/** Name, owner, description and actions. */
function head(context: PageContext) {
	const { strings, run } = context;
	const reference = referenceButton(strings.copyReference, () => run('copyReference'));
	const visibility = h('span', { class: 'mark', hidden: true });
	const owner = pushButton('link person', () => run('openOwner'));
	const title = h('h1');
	const updated = h('span');
	const notice = h('div', { role: 'status' });
	const about = h('div', { class: 'about' });
	const more = moreMenu(strings, () => run('openOnWeb'), [{ text: strings.copyLink, run: () => run('copyLink') }]);
	/** They need content. */
	const looking = [
		actionButton(context, 'mount', { text: strings.openFolder, look: 'primary' }),
		actionButton(context, 'goToFile', { text: strings.goToFile, look: 'secondary' }),
		actionButton(context, 'compare', { text: strings.compare, look: 'secondary' }),
	];
	const cloneButton = actionButton(context, 'clone', { text: strings.cloneHere, look: 'secondary' });
	const actions = h('div', { class: 'actions' }, ...looking.slice(0, 2), cloneButton, ...looking.slice(2));
	const element = h(
		'header',
		{ class: 'repository-head' },
		h('div', { class: 'facts' }, reference.element, visibility, more),
		title,
		h('p', { class: 'byline' }, owner, updated),
		notice,
		about,
		actions,
	);

	return {
		element,
		show(view: RepositoryHeadView) {
			reference.show(view.reference);
			cloneButton.hidden = !view.canClone;
			title.replaceChildren(pilled(view.title));
			owner.replaceChildren(pilled(view.owner));
			setAttributes(owner, { title: fill(strings.openOwner, view.owner) });
			actions.hidden = !view.isReadable;
		},
		/** Notice about cached data; hidden for an empty text. */
		showReadBefore(text: string) {
			const said = text === '' ? [] : [failureNotice(text, strings.tryAgain, context.again)];
			redraw(notice, said);
		},
		showAbout(view: PartView<AboutView>) {
			const known = view.kind === 'shown' ? view.value : undefined;
			visibility.hidden = known === undefined;
			visibility.replaceChildren(pilled(known?.visibility ?? ''));
			updated.replaceChildren(
				...(known?.updatedAtMs === undefined
					? []
					: [dot(), ...fillElement(strings.updated, context.times.element(known.updatedAtMs))]),
			);
			about.setAttribute('aria-busy', String(view.kind === 'loading'));
			switch (view.kind) {
				case 'hidden':
					return redraw(about, []);
				case 'loading':
					return redraw(about, [h('p', { class: 'quiet' }, strings.loading)]);
				case 'failed':
					return redraw(about, [failureNotice(view.reason, strings.tryAgain, context.again)]);
				case 'shown': {
					const { descriptionHtml = '' } = view.value;
					return redraw(about, descriptionHtml === '' ? [] : [markdownText(descriptionHtml)]);
				}
			}
		},
		/** Disables actions that need content. */
		showEmpty(isEmpty: boolean) {
			looking.forEach((button) => {
				button.hidden = isEmpty;
			});
		},
	};
}

function actionButton(
	{ run }: PageContext,
	action: RepositoryAction & Parameters<typeof repositoryIcon>[0],
	{ text, look }: { readonly text: string; readonly look: 'primary' | 'secondary' },
): HTMLElement {
	return pushButton(look, () => run(action), repositoryIcon(action), text);
}

/** Addresses with copy buttons. */
function clonePart({ strings, run }: PageContext) {
	const addresses = h('dl');
	const push = h('div', { class: 'push' });
	const element = h(
		'section',
		{ class: 'part part-clone', 'aria-labelledby': 'clone-title', hidden: true },
		push,
		h('h2', { id: 'clone-title' }, strings.clone),
		addresses,
	);
	const copyButton = (text: string, action: RepositoryAction): HTMLElement => {
		const label = fill(strings.copyNamed, text);
		const button = h('button', { type: 'button', class: 'bare', title: label, 'aria-label': label }, icon('copy'));
		return onClick(button, () => run(action));
	};
	const row = (name: string, address: string | undefined, action: RepositoryAction): readonly Node[] =>
		address === undefined
			? []
			: [h('dt', {}, name), h('dd', {}, h('code', {}, pilled(address)), copyButton(address, action))];
	return {
		element,
		show(clone: RepositoryHeadView['clone']) {
			element.hidden = clone === undefined;
			addresses.replaceChildren(
				...(clone
					? [
							...row(strings.readOnly, clone.readOnly, 'copyReadOnly'),
							...row(strings.readWrite, clone.readWrite, 'copyReadWrite'),
						]
					: []),
			);
		},
		/** Commands for the first push; empty for a nonempty repository. */
		showPush(commands: readonly string[]) {
			const text = commands.join('\n');
			push.replaceChildren(
				...(commands.length === 0
					? []
					: [
							h('p', {}, h('strong', {}, strings.empty)),
							h('p', { class: 'quiet' }, strings.howToPush),
							h('div', { class: 'commands' }, h('pre', { tabindex: '0' }, pilled(text)), copyButton(text, 'copyPush')),
						]),
			);
		},
	};
}
