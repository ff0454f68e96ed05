import type { TimelineOrder, CommentEdit, EntryView, TimelineChange, CommentView } from '../protocol/ticketProtocol.ts';
import { h, holdsFocus, onClick, replaceChildren, pushButton } from '../dom.ts';
import { failure } from '../failure.ts';
import { reasonOf } from '../voice.ts';
import { bringIntoSight, keepingPlace } from './readingPlace.ts';
import type { TicketPage } from './ticketPage.ts';
import { icon } from '../icons.ts';
import { markdownText, sentenceNodes } from '../texts.ts';
import { editForm } from './editForm.ts';
import { textBox } from './textBox.ts';

type Entries = TimelineChange & { readonly kind: 'entries' };

/** Keeps unchanged entries in place, so that reading and selections survive. */
export function timeline(
	page: TicketPage,
	startOrder: TimelineOrder,
	quote: EntryActions['quote'],
	keepEdit: EntryActions['keepEdit'],
) {
	const { strings, link, say, done } = page;
	const made = new Map<number, HTMLElement>();
	/** Last data of each entry, as JSON. */
	const told = new Map<number, string>();
	/** Entries to remove after a full update. */
	const old = new Set<number>();
	/** Entry ids, oldest first. */
	let ids: number[] = [];
	const list = h('ol', { class: 'entries' });
	const fresh = h('div', { class: 'fresh' }, h('span', {}, strings.fresh));
	const counts = h('span', { class: 'quiet' });
	const olderButton = pushButton(
		'secondary',
		() => {
			void showOlder();
		},
		strings.showOlder,
	);
	const older = h('div', { class: 'older', hidden: true }, olderButton, counts);
	const notice = h('div', { class: 'notice', role: 'status' }, strings.loading);
	const content = h('div', {}, notice);
	const element = h(
		'section',
		{ class: 'timeline', 'aria-labelledby': 'timeline-title' },
		h('div', { class: 'section-head' }, h('h2', { id: 'timeline-title' }, strings.timeline), orderChoice()),
		content,
	);
	let isAsked = false;
	let isWhole = false;
	let order = startOrder;

	function orderChoice(): HTMLElement {
		const select = h(
			'select',
			{ 'aria-label': strings.order },
			h('option', { value: 'oldest' }, strings.oldestFirst),
			h('option', { value: 'newest' }, strings.newestFirst),
		);
		select.value = startOrder;
		select.addEventListener('change', () => {
			order = select.value === 'newest' ? 'newest' : 'oldest';
			done(link.ask('keepOrder', order));
			const sorted = order === 'newest' ? ids.toReversed() : ids;
			list.replaceChildren(...sorted.map((id) => made.get(id) ?? ''));
			arrange();
			markFresh(undefined);
		});
		return select;
	}

	async function showOlder(): Promise<void> {
		olderButton.disabled = true;
		isAsked = true;
		try {
			await link.ask('older', undefined);
			counts.classList.remove('failure');
		} catch (error) {
			counts.classList.add('failure');
			counts.textContent = reasonOf(error);
		} finally {
			isAsked = false;
			olderButton.disabled = false;
		}
	}

	/** Deferred updates of entries being edited. */
	const waiting = new Map<number, EntryView>();
	const actions: EntryActions = {
		quote,
		keepEdit,
		edited(id) {
			const view = waiting.get(id);
			const entry = made.get(id);
			waiting.delete(id);
			if (view) {
				const wasHere = entry !== undefined && holdsFocus(entry);
				put({ ...view, comment: view.comment && { ...view.comment, hasDraft: false } });
				if (wasHere) {
					made.get(id)?.querySelector<HTMLElement>('.action')?.focus();
				}
			}
		},
	};

	function put(view: EntryView): void {
		const known = made.get(view.id);
		const said = JSON.stringify(view);
		old.delete(view.id);
		waiting.delete(view.id);
		if (known && told.get(view.id) === said) {
			return;
		}
		if (known?.querySelector('.comment-editor')) {
			waiting.set(view.id, view);
			return;
		}
		told.set(view.id, said);
		const entry = entryElement(view, page, actions);
		made.set(view.id, entry);
		if (known) {
			known.replaceWith(entry);
			return;
		}
		const at = ids.findLastIndex((id) => id < view.id) + 1;
		const next = order === 'newest' ? ids[at - 1] : ids[at];
		list.insertBefore(entry, (next === undefined ? undefined : made.get(next)) ?? null);
		ids.splice(at, 0, view.id);
	}

	function drop(id: number): void {
		made.get(id)?.remove();
		made.delete(id);
		told.delete(id);
		old.delete(id);
		ids = ids.filter((each) => each !== id);
	}

	function arrange(): void {
		replaceChildren(content, order === 'newest' ? [notice, list, older] : [notice, older, list]);
	}

	/** The line between seen and new entries. */
	let freshFrom: number | undefined;
	function markFresh(from: number | undefined): void {
		freshFrom = from ?? freshFrom;
		const first = freshFrom === undefined ? undefined : made.get(freshFrom);
		if (!first) {
			fresh.remove();
		} else if (order === 'newest') {
			first.append(fresh);
		} else {
			first.prepend(fresh);
		}
	}

	function showEntries(change: Entries): void {
		const newestBefore = ids.at(-1);
		keepingPlace(isAsked || window.scrollY > 0, () => {
			if (change.isWhole) {
				ids.forEach((id) => old.add(id));
			}
			change.gone.forEach(drop);
			change.put.forEach(put);
			if (!change.goesOn) {
				old.forEach(drop);
			}
			arrange();
			markFresh(change.newFrom);
			counts.textContent = change.counts;
			older.hidden = change.counts === '';
			olderButton.hidden = !change.hasOlder;
		});
		notice.replaceChildren(...(ids.length === 0 ? [strings.noEvents] : []));
		const { newFrom = Infinity } = change;
		const count = change.put.filter(({ id }) => id >= newFrom && id > (newestBefore ?? id)).length;
		if (isWhole && count > 0) {
			say(count === 1 ? strings.oneFresh : strings.severalFresh.replace('{0}', String(count)));
		}
		isWhole = !change.goesOn;
	}

	return {
		element,
		show(change: TimelineChange) {
			switch (change.kind) {
				case 'loading':
					return notice.replaceChildren(strings.loading);
				case 'failed':
					return notice.replaceChildren(
						...failure(change.reason, strings.tryAgain, () => done(link.ask('again', undefined))),
					);
				case 'entries':
					return showEntries(change);
			}
		},
		/** Scrolls to the newest entry; `cover`: the element over the bottom of the window. */
		showNewest(cover: HTMLElement) {
			const newest = made.get(ids.at(-1) ?? 0);
			if (newest) {
				bringIntoSight(newest, cover);
			}
		},
	};
}

/** Actions of an entry's comment. */
interface EntryActions {
	readonly quote: (text: string) => void;
	/** Stores an edit draft; an empty text deletes it. */
	readonly keepEdit: (edit: CommentEdit) => void;
	/** Called when the edit ends. */
	readonly edited: (entryId: number) => void;
}

/** An entry with its comment and events. */
function entryElement(view: EntryView, page: TicketPage, actions: EntryActions): HTMLElement {
	const { id, atMs, lines, comment, href } = view;
	const time = h('a', { class: 'when', href }, page.times.element(atMs));
	const changes = lines.map((line, at) =>
		h(
			'p',
			{ class: 'change' },
			icon(line.icon),
			h('span', {}, sentenceNodes(line.sentence), ...(comment || at > 0 ? [] : [' · ', time])),
		),
	);
	const parts = comment ? [commentElement(id, comment, time, page, actions), ...changes] : changes;
	return h('li', { class: 'entry', 'data-key': `event-${id}` }, ...parts);
}

function commentElement(
	id: number,
	{ author, html, edit, hasDraft }: CommentView,
	time: HTMLElement,
	page: TicketPage,
	actions: EntryActions,
): HTMLElement {
	const { strings, link } = page;
	const body = markdownText(html);
	const holder = h('div', {}, body);
	const said = h('span', { class: 'failure', role: 'status' });
	const quote = onClick(action(strings.quote), () => {
		const selected = selectionIn(body);
		void ask(selected === '' ? link.ask('commentText', id) : Promise.resolve(selected), actions.quote);
	});
	// Keeps the selection when the button is pressed.
	quote.addEventListener('mousedown', (event) => event.preventDefault());
	const editing = edit?.kind === 'here' ? onClick(action(strings.edit), open) : undefined;
	const web = edit?.kind === 'web' ? h('a', { href: edit.href, class: 'action' }, strings.editOnTheWeb) : undefined;

	async function ask(text: Promise<string>, use: (text: string) => void): Promise<void> {
		try {
			said.textContent = '';
			use(await text);
		} catch (error) {
			said.textContent = reasonOf(error);
		}
	}

	function open(): void {
		const box = holder.querySelector('textarea');
		if (box) {
			box.focus();
			return;
		}
		page.tellWriting();
		void ask(link.ask('commentDraft', id), (text) => {
			if (holder.querySelector('textarea')) {
				// A second request: keep the text typed since the first.
				return;
			}
			const editor = commentEditor(page, id, text, actions.keepEdit, () => {
				const wasHere = holdsFocus(editor);
				holder.replaceChildren(body);
				if (wasHere) {
					editing?.focus();
				}
				actions.edited(id);
			});
			holder.replaceChildren(editor);
			if (!hasDraft) {
				editor.querySelector('textarea')?.focus();
			}
		});
	}

	if (hasDraft && edit?.kind === 'here') {
		open();
	}
	return h(
		'article',
		{ class: 'comment' },
		h('header', {}, h('span', { class: 'who' }, sentenceNodes(author), ' · ', time), said, editing ?? web, quote),
		holder,
	);
}

function action(text: string): HTMLButtonElement {
	return h('button', { type: 'button', class: 'bare action' }, text);
}

function selectionIn(element: HTMLElement): string {
	const selection = window.getSelection();
	return selection?.anchorNode &&
		selection.focusNode &&
		element.contains(selection.anchorNode) &&
		element.contains(selection.focusNode)
		? selection.toString().trim()
		: '';
}

/** An edit box in a comment's place. `close` shows the comment again. */
function commentEditor(
	page: TicketPage,
	entryId: number,
	written: string,
	keepEdit: EntryActions['keepEdit'],
	close: () => void,
): HTMLElement {
	const { strings, link } = page;
	const box = textBox(page, `edit-${entryId}`, strings.editComment, written);
	const { textarea } = box;
	return editForm(strings, box, {
		keep: () => keepEdit({ entryId, text: textarea.value }),
		drop: () => keepEdit({ entryId, text: '' }),
		async save() {
			const answer = await link.ask('editComment', { entryId, text: textarea.value });
			return answer.kind === 'done'
				? undefined
				: [answer.text, ' ', h('a', { href: answer.href }, strings.editOnTheWeb)];
		},
		close,
	});
}
