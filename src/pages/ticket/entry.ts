import type { CommentEdit, EditAnswer } from '../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../protocol/ticketStrings.ts';
import type { CommentView, EntryView } from '../protocol/ticketView.ts';
import { h, holdsFocus, hostHtml, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { sentenceNodes } from '../texts.ts';
import type { Times } from '../times.ts';
import { reasonOf } from '../voice.ts';
import { type WritingHelp, textBox } from './textBox.ts';
import { draftKeeper } from './draftKeeper.ts';

/** Shared tools and actions for an entry. */
export interface EntryActions {
	readonly strings: TicketPageStrings;
	readonly times: Times;
	readonly help: WritingHelp;
	/** A comment's Markdown, or its draft. */
	readonly text: (entryId: number, which: 'written' | 'draft') => Promise<string>;
	readonly quote: (text: string) => void;
	readonly edit: (edit: CommentEdit) => Promise<EditAnswer>;
	/** Stores an edit draft; an empty text deletes it. */
	readonly keepEdit: (edit: CommentEdit) => void;
	/** Called when the edit ends. */
	readonly edited: (entryId: number) => void;
}

/** An entry with its comment and events. */
export function entryElement(view: EntryView, actions: EntryActions): HTMLElement {
	const { id, atMs, lines, comment, href } = view;
	const time = h('a', { class: 'when', href }, actions.times.element(atMs));
	const changes = lines.map((line, at) =>
		h(
			'p',
			{ class: 'change' },
			icon(line.icon),
			h('span', {}, sentenceNodes(line.sentence), ...(comment || at > 0 ? [] : [' · ', time])),
		),
	);
	const parts = comment ? [commentElement(id, comment, { time, actions }), ...changes] : changes;
	return h('li', { class: 'entry', 'data-key': `event-${id}` }, ...parts);
}

function commentElement(
	id: number,
	{ author, html, edit, hasDraft }: CommentView,
	{ time, actions }: { readonly time: HTMLElement; readonly actions: EntryActions },
): HTMLElement {
	const { strings } = actions;
	const body = h('div', { class: 'markdown' }, hostHtml(html));
	const holder = h('div', {}, body);
	const said = h('span', { class: 'failure', role: 'status' });
	const quote = onClick(action(strings.quote), () => {
		const selected = selectionIn(body);
		void ask(selected === '' ? actions.text(id, 'written') : Promise.resolve(selected), actions.quote);
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
		void ask(actions.text(id, 'draft'), (text) => {
			if (holder.querySelector('textarea')) {
				// A second request: keep the text typed since the first.
				return;
			}
			const editor = commentEditor({
				strings,
				help: actions.help,
				id: `edit-${id}`,
				text,
				keep: (draft) => actions.keepEdit({ entryId: id, text: draft }),
				save: (changed) => actions.edit({ entryId: id, text: changed }),
				close: () => {
					const wasHere = holdsFocus(editor);
					holder.replaceChildren(body);
					if (wasHere) {
						editing?.focus();
					}
					actions.edited(id);
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

interface CommentEditorParts {
	readonly strings: TicketPageStrings;
	readonly help: WritingHelp;
	/** Unique on the page. */
	readonly id: string;
	readonly text: string;
	/** Stores a draft; an empty text deletes it. */
	readonly keep: (text: string) => void;
	readonly save: (text: string) => Promise<EditAnswer>;
	/** Shows the comment again. */
	readonly close: () => void;
}

/** An edit box in a comment's place. Keeps the text until the forge has it, or the user cancels. */
function commentEditor({ keep, save, close, ...parts }: CommentEditorParts): HTMLElement {
	const { strings } = parts;
	const box = textBox({ ...parts, label: strings.editComment });
	const { textarea } = box;
	const failed = h('div', { class: 'failure', role: 'alert' });
	const saving = onClick(h('button', { type: 'button', class: 'secondary' }, strings.save), () => void send());
	const giveUp = onClick(h('button', { type: 'button' }, strings.cancel), () => {
		drafts.flush();
		keep('');
		leave();
	});
	const drafts = draftKeeper(keep);
	let isSending = false;

	function leave(): void {
		drafts.dispose();
		close();
	}

	/** Read-only while sending: typed text would be neither in the old nor in the new comment. */
	function setSending(next: boolean): void {
		isSending = next;
		textarea.readOnly = next;
		saving.disabled = next;
		giveUp.disabled = next;
		setAttributes(element, { 'aria-busy': String(next) });
	}

	async function send(): Promise<void> {
		if (isSending) {
			return;
		}
		setSending(true);
		drafts.flush();
		failed.replaceChildren();
		try {
			const answer = await save(textarea.value);
			if (answer.kind === 'done') {
				leave();
				return;
			}
			failed.replaceChildren(icon('error'), answer.text, ' ', h('a', { href: answer.href }, strings.editOnTheWeb));
		} catch (error) {
			failed.replaceChildren(icon('error'), reasonOf(error));
		} finally {
			setSending(false);
		}
	}

	textarea.addEventListener('input', () => drafts.typed(textarea.value));
	const element = h(
		'div',
		{ class: 'comment-editor' },
		failed,
		...box.nodes,
		h('div', { class: 'actions' }, giveUp, saving),
	);
	element.addEventListener('keydown', (event) => {
		if (box.key(event)) {
			return;
		}
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			void send();
		}
	});
	return element;
}
