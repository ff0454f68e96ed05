import type { EntryView, TicketPageStrings, TimelineView } from '../../protocol/ticketProtocol.ts';
import { h, hostHtml, onClick, replaceChildren } from '../dom.ts';
import { icon } from '../icons.ts';
import { sentenceNodes } from '../texts.ts';
import type { Times } from '../times.ts';
import type { Kept } from './kept.ts';

export interface TimelineParts {
	readonly strings: TicketPageStrings;
	readonly times: Times;
	readonly order: Kept['order'];
	readonly onOrder: (order: Kept['order']) => void;
	readonly older: () => Promise<void>;
	readonly again: () => void;
}

/** The timeline's place on the page. */
export interface Timeline {
	readonly element: HTMLElement;
	show(view: TimelineView): void;
}

/** Entries are made once and kept while nothing about them changes, so that reading and selecting is not disturbed. */
export function timeline(parts: TimelineParts): Timeline {
	const { strings } = parts;
	const made = new Map<string, { readonly said: string; readonly element: HTMLElement }>();
	const list = h('ol', { class: 'entries' });
	const counts = h('span', { class: 'quiet' });
	const olderButton = onClick(h('button', { type: 'button', class: 'secondary' }, strings.showOlder), () => {
		void showOlder();
	});
	const older = h('div', { class: 'older' }, olderButton, counts);
	const notice = h('div', { class: 'notice', role: 'status' });
	const order = orderChoice();
	const content = h('div', {}, notice);
	const element = h(
		'section',
		{ class: 'timeline', 'aria-labelledby': 'timeline-title' },
		h('div', { class: 'section-head' }, h('h2', { id: 'timeline-title' }, strings.timeline), order),
		content,
	);
	let shown: TimelineView = { kind: 'loading' };
	let isAsked = false;
	let { order: direction } = parts;

	function orderChoice(): HTMLElement {
		const select = h(
			'select',
			{ 'aria-label': strings.order },
			h('option', { value: 'oldest' }, strings.oldestFirst),
			h('option', { value: 'newest' }, strings.newestFirst),
		);
		select.value = parts.order;
		select.addEventListener('change', () => {
			direction = select.value === 'newest' ? 'newest' : 'oldest';
			parts.onOrder(direction);
			draw();
		});
		return select;
	}

	async function showOlder(): Promise<void> {
		olderButton.disabled = true;
		isAsked = true;
		try {
			await parts.older();
			counts.classList.remove('failure');
		} catch (error) {
			counts.classList.add('failure');
			counts.textContent = error instanceof Error ? error.message : String(error);
		} finally {
			isAsked = false;
			olderButton.disabled = false;
		}
	}

	function entry(view: EntryView): HTMLElement {
		const said = JSON.stringify(view);
		const known = made.get(view.key);
		if (known?.said === said) {
			return known.element;
		}
		const fresh = entryElement(view, parts.times);
		made.set(view.key, { said, element: fresh });
		return fresh;
	}

	function draw(): void {
		if (shown.kind !== 'ready') {
			replaceChildren(content, [notice]);
			notice.replaceChildren(
				...(shown.kind === 'loading' ? [strings.loading] : failure(shown.reason, strings, parts.again)),
			);
			return;
		}
		const newestFirst = shown.entries.map(entry);
		const entries = direction === 'newest' ? newestFirst : newestFirst.toReversed();
		counts.textContent = shown.counts;
		older.hidden = shown.counts === '';
		olderButton.hidden = !shown.hasOlder;
		// At the very top it is the ticket itself that is read, and new entries may move what is below.
		keepingPlace(isAsked || window.scrollY > 0, () => {
			replaceChildren(list, entries);
			replaceChildren(content, direction === 'newest' ? [notice, list, older] : [notice, older, list]);
		});
		notice.replaceChildren(...(entries.length === 0 ? [strings.noEvents] : []));
	}

	return {
		element,
		show(view) {
			shown = view;
			draw();
		},
	};
}

/** What failed, why, and the way to try once more, in its own place. */
export function failure(reason: string, strings: TicketPageStrings, again: () => void): readonly Node[] {
	return [
		h('p', { class: 'failure' }, icon('error'), reason),
		onClick(h('button', { type: 'button', class: 'secondary' }, strings.tryAgain), again),
	];
}

function entryElement({ key, atMs, lines, comment, href }: EntryView, times: Times): HTMLElement {
	const time = h('a', { class: 'when', href }, times.element(atMs));
	const changes = lines.map((line, at) =>
		h(
			'p',
			{ class: 'change' },
			icon(line.icon),
			h('span', {}, sentenceNodes(line.sentence), ...(comment || at > 0 ? [] : [' · ', time])),
		),
	);
	if (!comment) {
		return h('li', { class: 'entry', 'data-key': key }, ...changes);
	}
	return h(
		'li',
		{ class: 'entry', 'data-key': key },
		h(
			'article',
			{ class: 'comment' },
			h('header', {}, sentenceNodes(comment.author), ' · ', time),
			h('div', { class: 'markdown' }, hostHtml(comment.html)),
		),
		...changes,
	);
}

/** Entries may come above what is being read; it must not move. */
function keepingPlace(isReading: boolean, change: () => void): void {
	const anchor = Array.from(document.querySelectorAll<HTMLElement>('.entry')).find(
		(entry) => entry.getBoundingClientRect().bottom > 0,
	);
	const before = anchor?.getBoundingClientRect().top ?? 0;
	change();
	if (anchor?.isConnected === true && isReading) {
		window.scrollBy(0, anchor.getBoundingClientRect().top - before);
	}
}
