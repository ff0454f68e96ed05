import type { PersonPageStart, PersonProtocol, PersonPageStrings } from '../protocol/personProtocol.ts';
import {
	personSections,
	type PersonChange,
	type PersonSection,
	type PersonHeadView,
	type ProfileFact,
	type ProfileView,
} from '../protocol/personView.ts';
import { h, hostHtml } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { section } from './section.ts';
import { failure } from '../failure.ts';
import { webButton } from '../moreMenu.ts';
import { referenceButton } from '../referenceButton.ts';
import { pilled } from '../texts.ts';

const host = connectHost<PersonProtocol>();
const { link, root } = host;
const top = keptTop(host);
/** True after a reload: the page has already revealed the requested section. */
const isBack = host.kept !== undefined;

/** Builds the page once. Later changes only update the parts that differ. */
function build({ strings, locale, section: wanted }: PersonPageStart): (change: PersonChange) => void {
	const { seen, heard, say, done } = voice();
	const again = (): void => done(link.ask('again', undefined));
	const clock = times(locale);
	const header = profile({
		strings,
		again,
		copyName: () => done(link.ask('copyName', undefined), strings.copied),
		openOnWeb: () => done(link.ask('openOnWeb', undefined)),
	});
	const parts = personSections.map(
		(name) =>
			[
				name,
				section(name, {
					strings,
					times: clock,
					again,
					more: (which) => link.ask('more', which),
					open: (row) => done(link.ask('open', row)),
					keep: (row) => link.ask('keep', row),
					say,
				}),
			] as const,
	);
	root.replaceChildren(
		h('main', { class: 'column' }, header.element, seen, ...parts.map(([, { element }]) => element), heard),
	);

	/** Focuses the section once. Later content only scrolls to it again. */
	function reveal(name: PersonSection): void {
		const found = parts.find(([each]) => each === name)?.[1];
		found?.reveal(true);
		top.aim(() => found?.reveal(false));
	}

	link.on('show', reveal);
	let unrevealed = isBack ? undefined : wanted;
	return ({ head, sections }) => {
		if (head) {
			header.show(head);
			parts.forEach(([name, part]) => part.setTitle((head.isMe ? strings.ownSections : strings.sections)[name]));
		}
		for (const [name, part] of parts) {
			const view = sections[name];
			if (view) {
				part.show(view);
			}
		}
		top.settle();
		if (unrevealed !== undefined) {
			reveal(unrevealed);
			unrevealed = undefined;
		}
	};
}

beginPage(host, build);

/** Actions at the top of the page. */
interface ProfileContext {
	readonly strings: PersonPageStrings;
	readonly again: () => void;
	readonly copyName: () => void;
	readonly openOnWeb: () => void;
}

/** Name, facts and biography of a person. */
function profile(context: ProfileContext) {
	const { strings } = context;
	const name = referenceButton(strings.copyName, context.copyName);
	const you = h('span', { class: 'mark', hidden: true }, strings.thisIsYou);
	const title = h('h1');
	const web = webButton(strings, context.openOnWeb);
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
		show(head: PersonHeadView) {
			title.replaceChildren(pilled(head.title));
			name.element.hidden = head.account === undefined;
			name.show(head.account ?? '');
			you.hidden = !head.isMe;
			// Keeps equal content in place, so a selection in it survives.
			const now = JSON.stringify(head.profile);
			if (now !== said) {
				said = now;
				about.setAttribute('aria-busy', String(head.profile.kind === 'loading'));
				about.replaceChildren(...aboutNodes(head.profile, context));
			}
		},
	};
}

function aboutNodes(view: ProfileView, { strings, again }: ProfileContext): readonly Node[] {
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
				...(view.unsent === ''
					? []
					: [h('div', { class: 'notice' }, ...failure(view.unsent, strings.tryAgain, again))]),
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
