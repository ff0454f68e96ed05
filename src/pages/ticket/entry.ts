import type { CommentEdit } from '../protocol/ticketProtocol.ts';
import type { CommentView, EntryView } from '../protocol/ticketView.ts';
import { h, holdsFocus, hostHtml, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { sentenceNodes } from '../texts.ts';
import { reasonOf } from '../voice.ts';
import { editForm } from './editForm.ts';
import { textBox } from './textBox.ts';
import type { TicketPage } from './ticketPage.ts';

/** Actions of an entry's comment. */
export interface EntryActions {
	readonly quote: (text: string) => void;
	/** Stores an edit draft; an empty text deletes it. */
	readonly keepEdit: (edit: CommentEdit) => void;
	/** Called when the edit ends. */
	readonly edited: (entryId: number) => void;
}

/** An entry with its comment and events. */
export function entryElement(view: EntryView, page: TicketPage, actions: EntryActions): HTMLElement {
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
	const body = h('div', { class: 'markdown' }, hostHtml(html));
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
