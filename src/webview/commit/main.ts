import type { CommitPageStart, CommitProtocol } from '../../protocol/commitProtocol.ts';
import type { CommitChange } from '../../protocol/commitView.ts';
import { h } from '../dom.ts';
import { failure } from '../failure.ts';
import { connectHost } from '../host.ts';
import { keptRecord } from '../keptRecord.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { redraw } from '../redraw.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { filesPart } from './files.ts';
import { bar, headNodes, showParentTitles } from './head.ts';
import type { PageWays } from './ways.ts';

const host = connectHost<CommitProtocol>();
const { link, root } = host;

/** The parent that the files are compared with. */
let parent = keptParent(host.kept);
const top = keptTop(host, () => ({ parent }));

/** Anything else that an earlier life of the page kept is as if it had not been kept. */
function keptParent(kept: unknown): number {
	const { parent: before } = keptRecord(kept);
	return typeof before === 'number' && Number.isSafeInteger(before) && before > 0 ? before : 0;
}

/** Builds the page once; what comes later only changes what is different. */
function build({ strings, locale }: CommitPageStart): (change: CommitChange) => void {
	const { seen, heard, done } = voice();
	const ways: PageWays = {
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
	const above = bar(ways);
	const header = h('div', { class: 'commit-head' });
	const files = filesPart(ways);
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
				return redraw(header, [h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, ways.again))]);
			case 'shown': {
				redraw(header, headNodes(view.value, ways));
				parents = view.value.parents;
				showTitles();
				// What was chosen in an earlier life of the page is asked for once.
				if (parent > 0 && parent < view.value.parents.length && !isAsked) {
					isAsked = true;
					ways.compareWith(parent);
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
