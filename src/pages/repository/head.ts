import bookmark from '@vscode/codicons/src/icons/bookmark.svg';
import gitBranch from '@vscode/codicons/src/icons/git-branch.svg';
import gitCommit from '@vscode/codicons/src/icons/git-commit.svg';
import gitCompare from '@vscode/codicons/src/icons/git-compare.svg';
import goToFile from '@vscode/codicons/src/icons/go-to-file.svg';
import repoClone from '@vscode/codicons/src/icons/repo-clone.svg';
import rootFolder from '@vscode/codicons/src/icons/root-folder.svg';
import tag from '@vscode/codicons/src/icons/tag.svg';
import { h, hostHtml, onClick, setAttributes } from '../dom.ts';
import { failure } from '../failure.ts';
import { fill, fillElement } from '../fill.ts';
import { picture, icon } from '../icons.ts';
import { moreMenu } from '../moreMenu.ts';
import type { RepositoryAction, RepositoryPageStrings } from '../protocol/repositoryProtocol.ts';
import type { AboutView, PartView, RepositoryHeadView } from '../protocol/repositoryView.ts';
import { redraw } from '../redraw.ts';
import { referenceButton } from '../referenceButton.ts';
import { dot, pilled } from '../texts.ts';
import type { Times } from '../times.ts';

const pictures = {
	branch: gitBranch,
	tag,
	other: bookmark,
	commit: gitCommit,
	mount: rootFolder,
	goToFile,
	clone: repoClone,
	compare: gitCompare,
} as const;

/** Decorative icon, because text says the same. */
export function repositoryIcon(name: keyof typeof pictures): HTMLElement {
	return picture(pictures[name], name);
}

/** Shared tools and actions for the parts of the page. */
export interface PageContext {
	readonly strings: RepositoryPageStrings;
	readonly times: Times;
	readonly run: (action: RepositoryAction) => void;
	readonly again: () => void;
	readonly moreReferences: () => void;
	readonly openCommit: (id: string) => void;
	readonly openReference: (revision: string) => void;
}

/** Name, owner, description and actions. */
export function head(context: PageContext) {
	const { strings, run } = context;
	const reference = referenceButton(strings.copyReference, () => run('copyReference'));
	const visibility = h('span', { class: 'mark', hidden: true });
	const owner = onClick(h('button', { type: 'button', class: 'link person' }), () => run('openOwner'));
	const title = h('h1');
	const updated = h('span');
	const notice = h('div', { role: 'status' });
	const about = h('div', { class: 'about' });
	const more = moreMenu(strings, () => run('openOnWeb'), [{ text: strings.copyLink, run: () => run('copyLink') }]);
	const looking = lookButtons(context);
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

	function aboutNodes(view: PartView<AboutView>): readonly Node[] {
		switch (view.kind) {
			case 'hidden':
				return [];
			case 'loading':
				return [h('p', { class: 'quiet' }, strings.loading)];
			case 'failed':
				return [h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, context.again))];
			case 'shown': {
				const { descriptionHtml = '' } = view.value;
				return descriptionHtml === '' ? [] : [h('div', { class: 'markdown' }, hostHtml(descriptionHtml))];
			}
		}
	}

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
			const said =
				text === '' ? [] : [h('div', { class: 'notice' }, ...failure(text, strings.tryAgain, context.again))];
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
			redraw(about, aboutNodes(view));
		},
		/** Disables actions that need content. */
		showEmpty(isEmpty: boolean) {
			looking.forEach((button) => {
				button.hidden = isEmpty;
			});
		},
	};
}

/** Actions that need content, in order. */
function lookButtons(context: PageContext): readonly HTMLElement[] {
	const { strings } = context;
	return [
		actionButton(context, 'mount', { text: strings.openFolder, look: 'primary' }),
		actionButton(context, 'goToFile', { text: strings.goToFile, look: 'secondary' }),
		actionButton(context, 'compare', { text: strings.compare, look: 'secondary' }),
	];
}

function actionButton(
	{ run }: PageContext,
	action: RepositoryAction & Parameters<typeof repositoryIcon>[0],
	{ text, look }: { readonly text: string; readonly look: 'primary' | 'secondary' },
): HTMLElement {
	return onClick(h('button', { class: look, type: 'button' }, repositoryIcon(action), text), () => run(action));
}

/** Addresses with copy buttons. */
export function clonePart({ strings, run }: PageContext) {
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
