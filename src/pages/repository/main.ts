import { decodedPart } from '../../base/decodedPart.ts';
import type { RepositoryPageStart, RepositoryProtocol } from '../protocol/repositoryProtocol.ts';
import type { CommitRowView, ReadmeView, RepositoryChange, PartView } from '../protocol/repositoryView.ts';
import { h, hostHtml } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { clonePart } from './clone.ts';
import { head } from './head.ts';
import { commitList, referenceList } from './lists.ts';
import type { PageContext } from './pageContext.ts';
import { fill } from '../fill.ts';
import { linkButton } from '../mailBlocks.ts';
import { pilled } from '../texts.ts';
import { textPieces } from '../textPieces.ts';
import { failure } from '../failure.ts';
import { redraw } from '../redraw.ts';

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
