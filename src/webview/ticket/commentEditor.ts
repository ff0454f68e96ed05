import type { EditAnswer } from '../../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import { h, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { reasonOf } from '../voice.ts';
import { draftKeeper } from './draftKeeper.ts';
import { textBox, type WritingHelp } from './textBox.ts';

export interface CommentEditorParts {
	readonly strings: TicketPageStrings;
	readonly help: WritingHelp;
	/** Unique on the page. */
	readonly id: string;
	readonly text: string;
	/** The same comment; an empty text forgets the draft. */
	readonly keep: (text: string) => void;
	readonly save: (text: string) => Promise<EditAnswer>;
	/** The comment is shown again, changed or not. */
	readonly close: () => void;
}

/** A box in a comment's place. What was typed stays until the forge has it, or somebody gives it up. */
export function commentEditor({ keep, save, close, ...parts }: CommentEditorParts): HTMLElement {
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

	/** What is typed while a text is on its way would belong to neither the old comment nor the new one. */
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
