import type { CommentEdit, EditAnswer } from '../../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { CommentView, EntryView } from '../../protocol/ticketView.ts';
import { h, hostHtml, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { sentenceNodes } from '../texts.ts';
import type { Times } from '../times.ts';
import { reasonOf } from '../voice.ts';
import { commentEditor } from './commentEditor.ts';
import type { WritingHelp } from './textBox.ts';

/** What can be done at an entry. */
export interface EntryDoings {
	readonly strings: TicketPageStrings;
	readonly times: Times;
	readonly help: WritingHelp;
	/** A comment as it was written, or as it was being changed. */
	readonly text: (entryId: number, which: 'written' | 'draft') => Promise<string>;
	readonly quote: (text: string) => void;
	readonly edit: (edit: CommentEdit) => Promise<EditAnswer>;
	/** Keeps a change that was begun; an empty text forgets it. */
	readonly keepEdit: (edit: CommentEdit) => void;
	/** Nobody writes in the entry any longer. */
	readonly edited: (entryId: number) => void;
}

/** One entry: the comment, if there is one, and what happened with it. */
export function entryElement(view: EntryView, doings: EntryDoings): HTMLElement {
	const { id, atMs, lines, comment, href } = view;
	const time = h('a', { class: 'when', href }, doings.times.element(atMs));
	const changes = lines.map((line, at) =>
		h(
			'p',
			{ class: 'change' },
			icon(line.icon),
			h('span', {}, sentenceNodes(line.sentence), ...(comment || at > 0 ? [] : [' · ', time])),
		),
	);
	const parts = comment ? [commentElement(id, comment, { time, doings }), ...changes] : changes;
	return h('li', { class: 'entry', 'data-key': `event-${id}` }, ...parts);
}

function commentElement(
	id: number,
	{ author, html, edit, hasDraft }: CommentView,
	{ time, doings }: { readonly time: HTMLElement; readonly doings: EntryDoings },
): HTMLElement {
	const { strings } = doings;
	const body = h('div', { class: 'markdown' }, hostHtml(html));
	const holder = h('div', {}, body);
	const said = h('span', { class: 'failure', role: 'status' });
	const quote = onClick(action(strings.quote), () => {
		const selected = selectionIn(body);
		void ask(selected === '' ? doings.text(id, 'written') : Promise.resolve(selected), doings.quote);
	});
	// What is selected stays selected while the button is pressed.
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
		void ask(doings.text(id, 'draft'), (text) => {
			if (holder.querySelector('textarea')) {
				// It was asked for twice. What was typed since the first answer is not the second one's to replace.
				return;
			}
			const editor = commentEditor({
				strings,
				help: doings.help,
				id: `edit-${id}`,
				text,
				keep: (draft) => doings.keepEdit({ entryId: id, text: draft }),
				save: (changed) => doings.edit({ entryId: id, text: changed }),
				close: () => {
					holder.replaceChildren(body);
					editing?.focus();
					doings.edited(id);
				},
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
