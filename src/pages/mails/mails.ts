import { h, pushButton, replaceChildren, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { failure } from '../failure.ts';
import type { MailsStrings, ThreadMailsChange, ThreadMailView } from '../protocol/mailsProtocol.ts';
import { fill } from '../texts.ts';
import { answeringText, mailItem } from './mailItem.ts';
import type { PageSteps } from '../pageWork.ts';
import type { MailsPage } from './mailsPage.ts';
import { replyBoxes } from './replyBoxes.ts';

/**
 * Size of a part of the list. Several parts have lazy layout. The browser checks each part before each picture, so one
 * part for each mail would be slow.
 */
const mailsPerPart = 20;

/** The first mails appear soon, further ones in lots: each appearance lays out all others. */
const firstLot = 20;
const largestLot = 250;

/** Maximum number of stored collapsed mails. */
const mostCollapsed = 1000;

/** Collapsed mails of a saved page state. Ignores an invalid one. */
export function collapsedIn(value: unknown): readonly number[] {
	const ids: readonly unknown[] = Array.isArray(value) ? value.slice(0, mostCollapsed) : [];
	return ids.filter((id) => typeof id === 'number');
}

interface Made {
	view: ThreadMailView;
	readonly item: HTMLElement;
	/** Last shown values; missing before the first time. */
	count?: number;
	isCollapsed?: boolean;
}

/** Keeps unchanged mails in place, so that reading and selections survive. */
export function mails(
	page: MailsPage,
	startCollapsed: readonly number[],
	keepCollapsed: (ids: readonly number[]) => void,
	/** Loads the mails again after a failure. */
	again: () => void,
) {
	const { strings } = page;
	const made = new Map<number, Made>();
	/** Mails that wait for their turn, in their latest form. */
	const arrived = new Map<number, ThreadMailView>();
	const collapsed = new Set(startCollapsed);
	let order: readonly number[] = [];
	const replies = replyBoxes(page, slotOf);
	const notice = h('div', { class: 'notice', role: 'status' }, strings.loading);
	const list = h('div', { class: 'mails', role: 'list' });
	const parts: HTMLElement[] = [];
	const element = h('section', { 'aria-label': strings.mails }, notice, list);

	function toggle(id: number): void {
		if (!collapsed.delete(id)) {
			collapsed.add(id);
		}
		keepCollapsed([...collapsed]);
		arrange();
	}

	function put(view: ThreadMailView): void {
		const known = made.get(view.id);
		if (known && JSON.stringify(known.view) === JSON.stringify(view)) {
			return;
		}
		// The answered person's name often arrives last; update only the name, so that open sections survive.
		const { answers } = view;
		if (
			answers !== undefined &&
			known?.view.answers !== undefined &&
			JSON.stringify({ ...known.view, answers }) === JSON.stringify(view)
		) {
			known.view = view;
			known.item.querySelector('.answering')?.replaceChildren(answeringText(answers, strings));
			return;
		}
		const item = mailItem(view, page, replies.open);
		if (!known) {
			made.set(view.id, { view, item });
			return;
		}
		// The element stays, with the reply that someone is writing in it.
		const slot = known.item.querySelector(':scope > .reply-slot');
		const hadFocus = known.item.contains(document.activeElement) && slot?.contains(document.activeElement) !== true;
		item.classList.toggle('target', known.item.classList.contains('target'));
		known.item.className = item.className;
		known.item.style.cssText = item.style.cssText;
		for (const child of Array.from(known.item.childNodes).filter((each) => each !== slot)) {
			child.remove();
		}
		known.item.prepend(...item.childNodes);
		made.set(view.id, { view, item: known.item });
		if (hadFocus) {
			known.item.querySelector('article')?.focus({ preventScroll: true });
		}
	}

	/** Takes the reply box of a mail. */
	function slotOf(id: number): HTMLElement | undefined {
		const elsewhere = page.slotElsewhere(id);
		const item = made.get(id)?.item;
		if (elsewhere || !item) {
			return elsewhere;
		}
		const slot = item.querySelector<HTMLElement>(':scope > .reply-slot') ?? h('div', { class: 'reply-slot' });
		item.append(slot);
		return slot;
	}

	/** Number of mails at which the page shows them. */
	let nextLot = firstLot;

	/** Orders the mails and hides collapsed answers. */
	function arrange(): void {
		nextLot = made.size + Math.min(Math.max(firstLot, made.size), largestLot);
		const present = order.map((id) => made.get(id)).filter((each) => each !== undefined);
		const items = present.map(({ item }) => item);
		parts.length = Math.min(parts.length, Math.ceil(items.length / mailsPerPart));
		for (let from = 0; from < items.length; from += mailsPerPart) {
			const part = (parts[from / mailsPerPart] ??= h('div', { class: 'part-of-mails', role: 'presentation' }));
			replaceChildren(part, items.slice(from, from + mailsPerPart));
		}
		replaceChildren(list, parts);
		list.classList.toggle('many', order.length > mailsPerPart);
		const counts = answerCounts(present.map(({ view }) => view.depth));
		let hiddenBelow: number | undefined;
		present.forEach((each, at) => {
			const { id, depth } = each.view;
			if (hiddenBelow !== undefined && depth <= hiddenBelow) {
				hiddenBelow = undefined;
			}
			each.item.hidden = hiddenBelow !== undefined;
			const count = counts[at] ?? 0;
			const isCollapsed = collapsed.has(id);
			if (each.count !== count || each.isCollapsed !== isCollapsed) {
				each.count = count;
				each.isCollapsed = isCollapsed;
				showAnswers(each.item, { count, isCollapsed }, strings, () => toggle(id));
			}
			if (isCollapsed) {
				hiddenBelow ??= depth;
			}
		});
	}

	function* showState(change: Exclude<ThreadMailsChange, { readonly kind: 'mails' }>): PageSteps {
		notice.replaceChildren(
			...(change.kind === 'failed' ? failure(change.reason, strings.tryAgain, again) : [strings.loading]),
		);
		yield;
	}

	function* putAll(change: ThreadMailsChange & { readonly kind: 'mails' }): PageSteps {
		order = change.order ?? order;
		const present = new Set(order);
		for (const id of made.keys()) {
			if (!present.has(id)) {
				made.delete(id);
			}
		}
		for (const { id } of change.put) {
			const view = arrived.get(id);
			arrived.delete(id);
			if (view) {
				put(view);
				if (made.size >= nextLot) {
					arrange();
				}
				yield;
			}
		}
		if (!change.goesOn || change.order) {
			arrange();
		}
		replies.settle();
		notice.replaceChildren(...(order.length === 0 && !change.goesOn ? [strings.noMails] : []));
	}

	return {
		element,
		replies,
		/** Call at the arrival of a change. Its steps may run later, after another form of the same mail. */
		show(change: ThreadMailsChange): PageSteps {
			if (change.kind === 'mails') {
				change.put.forEach((view) => arrived.set(view.id, view));
				return putAll(change);
			}
			return showState(change);
		},
		/** Unfolds all ancestors of a mail; `false` while it is missing. */
		reveal(id: number) {
			const at = order.indexOf(id);
			if (at === -1 || !made.has(id)) {
				return false;
			}
			let depth = made.get(id)?.view.depth ?? 0;
			for (const above of order.slice(0, at).toReversed()) {
				const view = made.get(above)?.view;
				if (view && view.depth < depth) {
					({ depth } = view);
					collapsed.delete(above);
				}
			}
			arrange();
			return true;
		},
		/** The first new mail in reading order; `undefined` while mails above it may be missing. */
		firstNew() {
			const at = order.findIndex((id) => made.get(id)?.view.isNew !== false);
			return made.has(order[at] ?? 0) ? order[at] : undefined;
		},
		/** The mail after or before this one in reading order; without an id, from the start. */
		neighbour(id: number | undefined, direction: 'next' | 'previous') {
			const visible = order.filter((each) => made.get(each)?.item.hidden === false);
			if (id === undefined) {
				return visible[0];
			}
			return visible[visible.indexOf(id) + (direction === 'next' ? 1 : -1)];
		},
	};
}

/** Number of direct and indirect answers of each mail; `depths` in reading order. */
function answerCounts(depths: readonly number[]): readonly number[] {
	const counts = depths.map(() => 0);
	/** Ancestors of the current mail. */
	const above: number[] = [];
	depths.forEach((depth, at) => {
		while (above.length > 0 && (depths[above.at(-1) ?? 0] ?? 0) >= depth) {
			above.pop();
		}
		for (const each of above) {
			counts[each] = (counts[each] ?? 0) + 1;
		}
		above.push(at);
	});
	return counts;
}

/** Updates the number and visibility of a mail's answers. Mails without answers have no button for them. */
function showAnswers(
	item: HTMLElement,
	{ count, isCollapsed }: { readonly count: number; readonly isCollapsed: boolean },
	strings: MailsStrings,
	toggle: () => void,
): void {
	const header = item.querySelector('header');
	const said = item.querySelector('.hidden-answers');
	const known = item.querySelector('button.collapse');
	if (!header || !said) {
		return;
	}
	if (count === 0) {
		known?.remove();
	} else {
		const button = known ?? pushButton('bare collapse', toggle, icon('more'));
		setAttributes(button, {
			'aria-expanded': String(!isCollapsed),
			'aria-label': isCollapsed ? strings.showAnswers : strings.hideAnswers,
		});
		if (!known) {
			header.prepend(button);
		}
	}
	const text = !isCollapsed ? '' : count === 1 ? strings.oneHiddenAnswer : fill(strings.hiddenAnswers, String(count));
	if (said.textContent !== text) {
		said.textContent = text;
	}
}
