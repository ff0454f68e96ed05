import type { PersonPageStrings, RowName } from '../protocol/personProtocol.ts';
import type { PersonSection, RowGroup, RowView, SectionView, PersonIcon } from '../protocol/personView.ts';
import { h, onClick, replaceChildren } from '../dom.ts';
import { failure } from '../failure.ts';
import { fill } from '../fill.ts';
import { dot, pilled } from '../texts.ts';
import type { Times } from '../times.ts';
import { reasonOf } from '../voice.ts';
import diff from '@vscode/codicons/src/icons/diff.svg';
import mail from '@vscode/codicons/src/icons/mail.svg';
import project from '@vscode/codicons/src/icons/project.svg';
import repo from '@vscode/codicons/src/icons/repo.svg';
import { picture } from '../icons.ts';
import { statusPictures } from '../statusPictures.ts';

/** Shared tools and actions of a section. */
export interface SectionContext {
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
export function section(name: PersonSection, context: SectionContext) {
	const { strings } = context;
	const made = new Map<string, { readonly said: string; readonly element: HTMLElement }>();
	/** Keyed by title and kind; foldable groups keep their own open state. */
	const groupsMade = new Map<string, MadeGroup>();
	const title = h('h2', { id: `${name}-title`, tabindex: '-1' }, strings.sections[name]);
	const content = h('div', { class: 'rows-holder' });
	const element = h('section', { class: `part part-${name}`, 'aria-labelledby': `${name}-title` }, title, content);
	const counts = h('span', { class: 'quiet' });
	const moreButton = onClick(h('button', { type: 'button', class: 'secondary' }), () => void readOn());
	/** Error of the last "more"; stays until the next try. */
	const refusal = h('span', { class: 'failure' });
	const tail = h('div', { class: 'tail' }, moreButton, counts, refusal);

	async function readOn(): Promise<void> {
		if (moreButton.getAttribute('aria-disabled') === 'true') {
			return;
		}
		moreButton.setAttribute('aria-disabled', 'true');
		refusal.textContent = '';
		try {
			await context.more(name);
		} catch (error) {
			context.say(reasonOf(error));
			refusal.textContent = reasonOf(error);
		} finally {
			moreButton.removeAttribute('aria-disabled');
		}
	}

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

	function groupNode(group: RowGroup): HTMLElement {
		const { element: node, list, count } = groupsMade.get(groupKey(group)) ?? makeGroup(group);
		count.textContent = ` ${group.rows.length}`;
		replaceChildren(list, group.rows.map(rowOf));
		return node;
	}

	function makeGroup(group: RowGroup): MadeGroup {
		const { title: heading, isFolded } = group;
		const list = h('ul', { class: 'rows' });
		const count = h('span', { class: 'count' });
		const head = h('h3', {}, heading, count);
		const around = isFolded
			? h('details', { class: 'group' }, h('summary', {}, head), list)
			: h('div', { class: 'group' }, head, list);
		const made = { element: heading === '' ? list : around, list, count };
		groupsMade.set(groupKey(group), made);
		return made;
	}

	function showRows(view: Rows): void {
		const focused = document.activeElement;
		const groups = view.groups.map(groupNode);
		const nodes = [
			...groups,
			...(groups.length === 0 ? [h('p', { class: 'quiet' }, view.isReading ? strings.loading : view.none)] : []),
			...(view.troubles.length > 0 ? [troubles(view.troubles)] : []),
			...(view.counts !== '' || view.more !== undefined || view.isReading ? [showTail(view)] : []),
		];
		replaceChildren(content, nodes);
		if (focused instanceof HTMLElement && element.contains(focused)) {
			focused.focus({ preventScroll: true });
		}
	}

	function showTail(view: Rows): HTMLElement {
		moreButton.textContent = view.more ?? '';
		moreButton.hidden = view.more === undefined;
		if (view.isReading) {
			moreButton.setAttribute('aria-disabled', 'true');
		} else {
			moreButton.removeAttribute('aria-disabled');
		}
		counts.textContent = view.isReading ? strings.loading : view.counts;
		return tail;
	}

	function troubles(sentences: readonly string[]): HTMLElement {
		return h(
			'div',
			{ class: 'troubles' },
			h('ul', {}, ...sentences.map((sentence) => h('li', {}, pilled(sentence)))),
			onClick(h('button', { type: 'button', class: 'secondary' }, strings.tryAgain), context.again),
		);
	}

	return {
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
					return replaceChildren(content, [
						h('div', { class: 'notice' }, ...failure(view.reason, strings.tryAgain, context.again)),
					]);
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

function groupKey({ title, isFolded }: RowGroup): string {
	return `${isFolded} ${title}`;
}

function rowElement(section: PersonSection, row: RowView, context: SectionContext): HTMLElement {
	const name = { section, key: row.key };
	const opener = onClick(
		h(
			'button',
			{ class: 'row-title', type: 'button', title: row.state },
			rowIcon(row.icon),
			...(row.state === undefined ? [] : [h('span', { class: 'read-aloud' }, `${row.state}: `)]),
			h('span', { class: 'title' }, pilled(row.title)),
		),
		() => context.open(name),
	);
	return h(
		'li',
		{ class: 'row', 'data-key': row.key },
		opener,
		h('div', { class: 'row-facts' }, ...factNodes(row, context), tieNode(name, row, context)),
	);
}

function factNodes({ facts, fresh, atMs }: RowView, { times }: SectionContext): readonly Node[] {
	const all = [
		...facts.map((fact) => h('span', {}, pilled(fact))),
		...(fresh === undefined ? [] : [h('span', { class: 'news' }, fresh)]),
		...(atMs === undefined ? [] : [times.element(atMs)]),
	];
	return all.flatMap((node, at) => (at === 0 ? [node] : [dot(), node]));
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

const pictures: Readonly<Record<PersonIcon, string>> = {
	...statusPictures,
	mail,
	patch: diff,
	tracker: project,
	list: mail,
	repository: repo,
};

/** Icon of a row; decorative, because text says the same. */
function rowIcon(name: PersonIcon): HTMLElement {
	return picture(pictures[name], name);
}
