import type { PersonPageStrings } from '../../protocol/personProtocol.ts';
import type { PersonHeadView, ProfileFact, ProfileView } from '../../protocol/personView.ts';
import { h, hostHtml } from '../dom.ts';
import { failure } from '../failure.ts';
import { webButton } from '../moreMenu.ts';
import { referenceButton } from '../referenceButton.ts';
import { pilled } from '../texts.ts';

/** What can be done at the top of the page. */
export interface ProfileWays {
	readonly strings: PersonPageStrings;
	readonly again: () => void;
	readonly copyName: () => void;
	readonly openOnWeb: () => void;
}

/** The top of the page. */
export interface Profile {
	readonly element: HTMLElement;
	show(head: PersonHeadView): void;
}

/** Name, facts and what somebody tells of themselves. */
export function profile(ways: ProfileWays): Profile {
	const { strings } = ways;
	const name = referenceButton(strings.copyName, ways.copyName);
	const you = h('span', { class: 'mark', hidden: true }, strings.thisIsYou);
	const title = h('h1');
	const web = webButton(strings, ways.openOnWeb);
	const about = h('div', { class: 'about' });
	const element = h(
		'div',
		{},
		h('header', {}, h('div', { class: 'facts' }, name.element, you, h('span', { class: 'corner' }, web)), title),
		h(
			'section',
			{ class: 'profile', 'aria-labelledby': 'profile-title' },
			h('h2', { id: 'profile-title', class: 'read-aloud' }, strings.profile),
			about,
		),
	);
	let said = '';

	return {
		element,
		show(head) {
			title.replaceChildren(pilled(head.title));
			name.element.hidden = head.account === undefined;
			name.show(head.account ?? '');
			you.hidden = !head.isMe;
			// Untouched while it is the same, so that what is selected in it stays selected.
			const now = JSON.stringify(head.profile);
			if (now !== said) {
				said = now;
				about.setAttribute('aria-busy', String(head.profile.kind === 'loading'));
				about.replaceChildren(...aboutNodes(head.profile, ways));
			}
		},
	};
}

function aboutNodes(view: ProfileView, { strings, again }: ProfileWays): readonly Node[] {
	switch (view.kind) {
		case 'loading':
			return [h('p', { class: 'quiet' }, strings.loading)];
		case 'failed':
			return [h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, again))];
		case 'none':
			return [h('p', { class: 'quiet' }, pilled(view.text))];
		case 'profile':
			return [
				...(view.facts.length > 0 ? [factList(view.facts, strings)] : []),
				...(view.bioHtml === undefined || view.bioHtml === ''
					? []
					: [h('div', { class: 'markdown bio' }, hostHtml(view.bioHtml))]),
			];
	}
}

function factList(facts: readonly ProfileFact[], strings: PersonPageStrings): HTMLElement {
	return h(
		'dl',
		{},
		...facts.flatMap(({ kind, text, href }) => [
			h('dt', {}, strings[kind]),
			h('dd', {}, href === undefined ? pilled(text) : h('a', { href }, pilled(text))),
		]),
	);
}
