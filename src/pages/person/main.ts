import type {
	PersonPageStart,
	PersonProtocol,
	PersonPageStrings,
	RowName,
	PersonChange,
	PersonSection,
	PersonHeadView,
	ProfileView,
	RowGroup,
	RowView,
	SectionView,
	PersonIcon,
} from '../protocol/personProtocol.ts';
import { h, onClick, replaceChildren, pushButton, oneAtATime, setAttributes } from '../dom.ts';
import { connectHost } from '../host.ts';
import { keptTop } from '../keptTop.ts';
import { beginPage } from '../piecePage.ts';
import { times, type Times } from '../times.ts';
import { voice, reasonOf } from '../voice.ts';
import { failureNotice } from '../failure.ts';
import { webButton } from '../menu.ts';
import { referenceButton } from '../referenceButton.ts';
import { markdownText, pilled, dot, fill } from '../texts.ts';
import diff from '@vscode/codicons/src/icons/diff.svg';
import mail from '@vscode/codicons/src/icons/mail.svg';
import project from '@vscode/codicons/src/icons/project.svg';
import repo from '@vscode/codicons/src/icons/repo.svg';
import { icons, statusPictures } from '../icons.ts';

const personIcon = icons<PersonIcon>({
	...statusPictures,
	mail,
	patch: diff,
	tracker: project,
	list: mail,
	repository: repo,
});

const host = connectHost<PersonProtocol>();
const { link, root } = host;
const top = keptTop(host);
/** True after a reload: the page has already revealed the requested section. */
const isBack = host.kept !== undefined;

beginPage(host, ({ strings, locale, section: wanted }: PersonPageStart) => {
	const { seen, heard, say, done } = voice();
	const again = (): void => done(link.ask('again', undefined));
	const clock = times(locale);
	const header = profile({
		strings,
		again,
		copyName: () => done(link.ask('copyName', undefined), strings.copied),
		openOnWeb: () => done(link.ask('openOnWeb', undefined)),
	});
	const context: SectionContext = {
		strings,
		times: clock,
		again,
		more: (which) => link.ask('more', which),
		open: (row) => done(link.ask('open', row)),
		keep: (row) => link.ask('keep', row),
		say,
	};
	const parts = {
		patchsets: section('patchsets', context),
		trackers: section('trackers', context),
		lists: section('lists', context),
		repositories: section('repositories', context),
		// The longest is last.
		mails: section('mails', context),
	};
	const inOrder = Object.values(parts);
	root.replaceChildren(
		h('main', { class: 'column' }, header.element, seen, ...inOrder.map(({ element }) => element), heard),
	);

	/** Focuses the section once. Later content only scrolls to it again. */
	function reveal(name: PersonSection): void {
		parts[name].reveal(true);
		top.aim(() => parts[name].reveal(false));
	}

	link.on('show', reveal);
	let unrevealed = isBack ? undefined : wanted;
	return ({ head, sections }: PersonChange) => {
		if (head) {
			header.show(head);
			inOrder.forEach((part) => part.setTitle((head.isMe ? strings.ownSections : strings.sections)[part.name]));
		}
		for (const part of inOrder) {
			const view = sections[part.name];
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
});

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
			return [failureNotice(view.reason, strings.tryAgain, again)];
		case 'none':
			return [h('p', { class: 'quiet' }, pilled(view.text))];
		case 'profile': {
			const facts = view.facts.flatMap(({ kind, text, href }) => [
				h('dt', {}, strings[kind]),
				h('dd', {}, href === undefined ? pilled(text) : h('a', { href }, pilled(text))),
			]);
			return [
				...(facts.length > 0 ? [h('dl', {}, ...facts)] : []),
				...(view.bioHtml === undefined || view.bioHtml === '' ? [] : [markdownText(view.bioHtml, 'bio')]),
				...(view.unsent === '' ? [] : [failureNotice(view.unsent, strings.tryAgain, again)]),
			];
		}
	}
}

/** Shared tools and actions of a section. */
interface SectionContext {
	readonly strings: PersonPageStrings;
	readonly times: Times;
	readonly again: () => void;
	readonly more: (section: PersonSection) => Promise<void>;
	readonly open: (row: RowName) => void;
	readonly keep: (row: RowName) => Promise<void>;
	/** Announces to screen readers. */
	readonly say: (text: string) => void;
}

type Rows = SectionView & { readonly kind: 'rows' };

/** Elements around the rows of a group. */
interface MadeGroup {
	readonly element: HTMLElement;
	readonly list: HTMLElement;
	readonly count: HTMLElement;
}

/** Keeps unchanged rows and groups in place, so that focus and mouse clicks in progress survive. */
function section(name: PersonSection, context: SectionContext) {
	const { strings } = context;
	const made = new Map<string, { readonly said: string; readonly element: HTMLElement }>();
	/** Keyed by title and kind; foldable groups keep their own open state. */
	const groupsMade = new Map<string, MadeGroup>();
	const title = h('h2', { id: `${name}-title`, tabindex: '-1' }, strings.sections[name]);
	const content = h('div', { class: 'rows-holder' });
	const element = h('section', { class: `part part-${name}`, 'aria-labelledby': `${name}-title` }, title, content);
	const counts = h('span', { class: 'quiet' });
	/** Error of the last "more"; stays until the next try. */
	const refusal = h('span', { class: 'failure' });
	const moreButton = pushButton(
		'secondary',
		() =>
			void oneAtATime(moreButton, async () => {
				refusal.textContent = '';
				try {
					await context.more(name);
				} catch (error) {
					context.say(reasonOf(error));
					refusal.textContent = reasonOf(error);
				}
			}),
	);
	const tail = h('div', { class: 'tail' }, moreButton, counts, refusal);

	function rowOf(row: RowView): HTMLElement {
		const said = JSON.stringify(row);
		const known = made.get(row.key);
		if (known?.said === said) {
			return known.element;
		}
		const had = known?.element.contains(document.activeElement) === true;
		const next = rowElement(name, row, context);
		made.set(row.key, { said, element: next });
		// Replaces in place, so that other rows don't move.
		known?.element.replaceWith(next);
		if (had) {
			next.querySelector('button')?.focus();
		}
		return next;
	}

	function groupNode({ title: heading, isFolded, rows }: RowGroup): HTMLElement {
		const key = `${isFolded} ${heading}`;
		let group = groupsMade.get(key);
		if (!group) {
			const list = h('ul', { class: 'rows' });
			const count = h('span', { class: 'count' });
			const head = h('h3', {}, heading, count);
			const around = isFolded
				? h('details', { class: 'group' }, h('summary', {}, head), list)
				: h('div', { class: 'group' }, head, list);
			group = { element: heading === '' ? list : around, list, count };
			groupsMade.set(key, group);
		}
		group.count.textContent = ` ${rows.length}`;
		replaceChildren(group.list, rows.map(rowOf));
		return group.element;
	}

	function showRows(view: Rows): void {
		const focused = document.activeElement;
		const groups = view.groups.map(groupNode);
		const troubles = h(
			'div',
			{ class: 'troubles' },
			h('ul', {}, ...view.troubles.map((sentence) => h('li', {}, pilled(sentence)))),
			pushButton('secondary', context.again, strings.tryAgain),
		);
		moreButton.textContent = view.more ?? '';
		moreButton.hidden = view.more === undefined;
		setAttributes(moreButton, { 'aria-disabled': view.isReading ? 'true' : undefined });
		counts.textContent = view.isReading ? strings.loading : view.counts;
		replaceChildren(content, [
			...groups,
			...(groups.length === 0 ? [h('p', { class: 'quiet' }, view.isReading ? strings.loading : view.none)] : []),
			...(view.troubles.length > 0 ? [troubles] : []),
			...(view.counts !== '' || view.more !== undefined || view.isReading ? [tail] : []),
		]);
		if (focused instanceof HTMLElement && element.contains(focused)) {
			focused.focus({ preventScroll: true });
		}
	}

	return {
		name,
		element,
		setTitle(text: string) {
			title.textContent = text;
		},
		show(view: SectionView) {
			element.hidden = view.kind === 'hidden';
			const isBusy = view.kind === 'loading' || (view.kind === 'rows' && view.isReading);
			content.setAttribute('aria-busy', String(isBusy));
			switch (view.kind) {
				case 'hidden':
					return replaceChildren(content, []);
				case 'loading':
					return replaceChildren(content, [h('p', { class: 'quiet' }, strings.loading)]);
				case 'failed':
					return replaceChildren(content, [failureNotice(view.reason, strings.tryAgain, context.again)]);
				case 'rows':
					return showRows(view);
			}
		},
		/** Scrolls to it; `focus` also moves the keyboard focus. */
		reveal(focus: boolean) {
			if (focus) {
				title.focus({ preventScroll: true });
			}
			element.scrollIntoView({ block: 'start' });
		},
	};
}

function rowElement(section: PersonSection, row: RowView, context: SectionContext): HTMLElement {
	const name = { section, key: row.key };
	const opener = pushButton(
		{ class: 'row-title', title: row.state },
		() => context.open(name),
		personIcon(row.icon),
		...(row.state === undefined ? [] : [h('span', { class: 'read-aloud' }, `${row.state}: `)]),
		h('span', { class: 'title' }, pilled(row.title)),
	);
	const facts = [
		...row.facts.map((fact) => h('span', {}, pilled(fact))),
		...(row.fresh === undefined ? [] : [h('span', { class: 'news' }, row.fresh)]),
		...(row.atMs === undefined ? [] : [context.times.element(row.atMs)]),
	].flatMap((node, at) => (at === 0 ? [node] : [dot(), node]));
	return h(
		'li',
		{ class: 'row', 'data-key': row.key },
		opener,
		h('div', { class: 'row-facts' }, ...facts, tieNode(name, row, context)),
	);
}

function tieNode(name: RowName, { tie, title }: RowView, { strings, keep, say }: SectionContext): Node | undefined {
	switch (tie?.kind) {
		case undefined:
			return undefined;
		case 'there':
			return h('span', { class: 'mark' }, tie.text);
		case 'offered': {
			const button = h('button', { class: 'follow', type: 'button', 'aria-label': fill(strings.followNamed, title) });
			button.textContent = strings.follow;
			const refusal = h('span', { class: 'failure' });
			onClick(button, () => {
				if (button.getAttribute('aria-disabled') === 'true') {
					return;
				}
				button.setAttribute('aria-disabled', 'true');
				refusal.textContent = '';
				keep(name).catch((error: unknown) => {
					button.removeAttribute('aria-disabled');
					say(reasonOf(error));
					refusal.textContent = reasonOf(error);
				});
			});
			const offer = document.createDocumentFragment();
			offer.append(button, refusal);
			return offer;
		}
	}
}
