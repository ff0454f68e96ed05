import type { RepositoryPageStart, RepositoryProtocol } from '../../protocol/repositoryProtocol.ts';
import type { CommitRowView, ReadmeView, RepositoryChange } from '../../protocol/repositoryView.ts';
import { h } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptTop } from '../keptTop.ts';
import { part } from '../part.ts';
import { beginPage } from '../piecePage.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { clonePart } from './clone.ts';
import { head } from './head.ts';
import { commitList, referenceList } from './lists.ts';
import { readmeNodes, revealHeading } from './readme.ts';
import type { PageWays } from './ways.ts';

const host = connectHost<RepositoryProtocol>();
const { link, root } = host;
const top = keptTop(host);

/** Builds the page once; what comes later only changes what is different. */
function build({ strings, locale }: RepositoryPageStart): (change: RepositoryChange) => void {
	const { seen, heard, done } = voice();
	const ways: PageWays = {
		strings,
		times: times(locale),
		// Commands say by themselves what became of them.
		run: (action) =>
			done(link.ask('run', action), action.startsWith('copy') && action !== 'copyLink' ? strings.copied : ''),
		again: () => done(link.ask('again', undefined)),
		moreReferences: () => done(link.ask('moreReferences', undefined)),
		openCommit: (id) => done(link.ask('openCommit', id)),
		openReference: (revision) => done(link.ask('openReference', revision)),
	};
	const { loading, tryAgain } = strings;
	const common = { loading, tryAgain, again: ways.again };
	const header = head(ways);
	const clone = clonePart(ways);
	const drawReferences = referenceList(new Set(), ways);
	const readme = part<ReadmeView>({
		...common,
		name: 'readme',
		title: strings.readme,
		draw: (view) => readmeNodes(view, ways),
	});
	const commits = part<readonly CommitRowView[]>({
		...common,
		name: 'commits',
		title: strings.commits,
		draw: (view) => commitList(view, ways),
	});
	const references = part({ ...common, name: 'references', title: strings.references, draw: drawReferences });
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
		top.letGo();
		revealHeading(href);
	}
	return isWithin;
});
