import type { PersonPageStart, PersonProtocol, PersonPageStrings } from '../../protocol/personProtocol.ts';
import {
	personSections,
	type PersonChange,
	type PersonSection,
	type PersonHeadView,
	type ProfileFact,
	type ProfileView,
} from '../../protocol/personView.ts';
import { swallowChords } from '../chords.ts';
import { h, hostHtml } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptRecord } from '../keptRecord.ts';
import { followLinks } from '../links.ts';
import { times } from '../times.ts';
import { voice } from '../voice.ts';
import { section } from './section.ts';
import { failure } from '../failure.ts';
import { webButton } from '../moreMenu.ts';
import { referenceButton } from '../referenceButton.ts';
import { pilled } from '../texts.ts';

const host = connectHost<PersonProtocol>();
const { link, root } = host;

/** True after a reload: the page has already revealed the requested section. */
const isBack = host.kept !== undefined;

/** Scroll target until the user moves: content above may still grow. */
let wanted: PersonSection | number | undefined = keptTop(host.kept);

/** The built page. */
interface Built {
	show(change: PersonChange): void;
	reveal(name: PersonSection): void;
}

function build({ strings, locale }: PersonPageStart): Built {
	const { seen, heard, say, done } = voice();
	const again = (): void => done(link.ask('again', undefined));
	const clock = times(locale);
	const top = profile({
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
		h('main', { class: 'column' }, top.element, seen, ...parts.map(([, { element }]) => element), heard),
	);

	function stay(): void {
		if (typeof wanted === 'number') {
			window.scrollTo(0, wanted);
		} else if (wanted !== undefined) {
			parts.find(([name]) => name === wanted)?.[1].reveal(false);
		}
	}

	return {
		show({ head, sections }) {
			if (head) {
				top.show(head);
				parts.forEach(([name, part]) => part.setTitle((head.isMe ? strings.ownSections : strings.sections)[name]));
			}
			for (const [name, part] of parts) {
				const view = sections[name];
				if (view) {
					part.show(view);
				}
			}
			stay();
		},
		reveal(name) {
			wanted = name;
			parts.find(([each]) => each === name)?.[1].reveal(true);
		},
	};
}

let built: Built | undefined;

function begin(start: PersonPageStart): void {
	built ??= build(start);
	built.show(start.change);
	if (start.section !== undefined && !isBack) {
		built.reveal(start.section);
	}
}

async function open(): Promise<void> {
	begin(await link.ask('load', undefined));
}

/** Ignores any other saved state. */
function keptTop(kept: unknown): number | undefined {
	const { top } = keptRecord(kept);
	return typeof top === 'number' && top > 0 ? top : undefined;
}

host.keep({ top: typeof wanted === 'number' ? wanted : 0 });
for (const leaving of ['wheel', 'keydown', 'pointerdown', 'touchstart']) {
	window.addEventListener(leaving, () => (wanted = undefined), { passive: true, capture: true });
}
window.addEventListener('scrollend', () => host.keep({ top: Math.round(window.scrollY) }));
link.on('start', begin);
link.on('changed', (change) => built?.show(change));
link.on('show', (name) => built?.reveal(name));
link.on('reload', () => void open());
swallowChords(window);
followLinks(document.body, (href) => {
	// The host reports a failed link. A rejected one does nothing, like any dead link.
	link.ask('follow', href).catch(() => undefined);
});
host.begin();
void open();

/** Actions at the top of the page. */
interface ProfileWays {
	readonly strings: PersonPageStrings;
	readonly again: () => void;
	readonly copyName: () => void;
	readonly openOnWeb: () => void;
}

/** Top of the page. */
interface Profile {
	readonly element: HTMLElement;
	show(head: PersonHeadView): void;
}

/** Name, facts and biography of a person. */
function profile(ways: ProfileWays): Profile {
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
			// Keeps equal content in place, so a selection in it survives.
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
