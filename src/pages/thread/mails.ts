import type { ThreadMailsChange, ThreadMailView } from '../protocol/threadView.ts';
import { h, replaceChildren } from '../dom.ts';
import { failure } from '../failure.ts';
import { mailItem, showAnswered, showAnswers } from './mailItem.ts';
import type { ThreadPage } from './threadPage.ts';

/** Longer threads use lazy layout. */
const many = 50;

interface Made {
	view: ThreadMailView;
	readonly item: HTMLElement;
	/** Last shown values; missing before the first time. */
	count?: number;
	isCollapsed?: boolean;
}

/** Keeps unchanged mails in place, so that reading and selections survive. */
export function mails(
	page: ThreadPage,
	startCollapsed: readonly number[],
	keepCollapsed: (ids: readonly number[]) => void,
) {
	const { strings, link, done } = page;
	const made = new Map<number, Made>();
	const collapsed = new Set(startCollapsed);
	let order: readonly number[] = [];
	const notice = h('div', { class: 'notice', role: 'status' }, strings.loading);
	const list = h('ol', { class: 'mails' });
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
		if (known && view.answers !== undefined && isSameButForAnswered(known.view, view)) {
			known.view = view;
			showAnswered(known.item, view.answers, strings);
			return;
		}
		const item = mailItem(view, page, toggle);
		made.set(view.id, { view, item });
		if (known) {
			const hadFocus = known.item.contains(document.activeElement);
			item.classList.toggle('target', known.item.classList.contains('target'));
			known.item.replaceWith(item);
			if (hadFocus) {
				item.querySelector('article')?.focus({ preventScroll: true });
			}
		}
	}

	/** Orders the mails and hides collapsed answers. */
	function arrange(): void {
		const present = order.map((id) => made.get(id)).filter((each) => each !== undefined);
		replaceChildren(
			list,
			present.map(({ item }) => item),
		);
		list.classList.toggle('many', order.length > many);
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
				showAnswers(each.item, { count, isCollapsed }, strings);
			}
			if (isCollapsed) {
				hiddenBelow ??= depth;
			}
		});
	}

	return {
		element,
		show(change: ThreadMailsChange) {
			if (change.kind !== 'mails') {
				notice.replaceChildren(
					...(change.kind === 'failed'
						? failure(change.reason, strings.tryAgain, () => done(link.ask('again', undefined)))
						: [strings.loading]),
				);
				return;
			}
			order = change.order ?? order;
			change.put.forEach(put);
			const present = new Set(order);
			for (const id of made.keys()) {
				if (!present.has(id)) {
					made.delete(id);
				}
			}
			arrange();
			notice.replaceChildren(...(order.length === 0 && !change.goesOn ? [strings.noMails] : []));
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

/** True when only the name of the answered person differs. */
function isSameButForAnswered(one: ThreadMailView, other: ThreadMailView): boolean {
	const { answers } = other;
	return one.answers !== undefined && JSON.stringify({ ...one, answers }) === JSON.stringify(other);
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
