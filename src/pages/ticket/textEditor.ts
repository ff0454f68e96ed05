import type { TextAnswer, TextStart, TicketText } from '../protocol/ticketProtocol.ts';
import type { TicketPageStrings } from '../protocol/ticketStrings.ts';
import { h, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { reasonOf } from '../voice.ts';
import { draftKeeper } from './draftKeeper.ts';
import { textBox, type WritingHelp } from './textBox.ts';

export interface TextEditorParts {
	readonly strings: TicketPageStrings;
	readonly help: WritingHelp;
	/** The current text, or its draft. */
	readonly start: () => Promise<TextStart>;
	/** Stores a draft; deletes it if both are empty. */
	readonly keep: (text: TicketText) => void;
	readonly save: (edit: TextStart) => Promise<TextAnswer>;
	/** Called when the boxes open or close; in a `conflict`, title and description stay visible too. */
	readonly shown: (isOpen: boolean, conflict: boolean) => void;
	readonly say: (reason: string) => void;
}

const nothingKept: TicketText = { title: '', description: '' };

/** Keeps the text until the forge has it, or the user cancels. */
export function textEditor(parts: TextEditorParts) {
	const element = h('div', { class: 'text-editor', hidden: true });
	let isOpening = false;

	async function open(takesFocus: boolean): Promise<void> {
		const focus = (): void => (takesFocus ? element.querySelector('input')?.focus() : undefined);
		if (isOpening || !element.hidden) {
			focus();
			return;
		}
		isOpening = true;
		try {
			element.replaceChildren(...editorNodes(parts, await parts.start(), close));
			element.hidden = false;
			parts.shown(true, false);
			focus();
		} catch (error) {
			parts.say(reasonOf(error));
		} finally {
			isOpening = false;
		}
	}

	function close(): void {
		// Call first: the removal loses the focus that it checks.
		parts.shown(false, false);
		element.replaceChildren();
		element.hidden = true;
	}

	return {
		element,
		/** Leaves the focus alone when it opens without a request. */
		open: (takesFocus: boolean): void => void open(takesFocus),
	};
}

function editorNodes(
	{ strings, help, keep, save, shown }: TextEditorParts,
	{ title, description, from }: TextStart,
	close: () => void,
): readonly Node[] {
	const line = h('input', { type: 'text', 'aria-label': strings.title, spellcheck: 'true' });
	line.value = title;
	const box = textBox({ strings, help, id: 'edit-text', label: strings.description, text: description });
	const failed = h('div', { class: 'failure', role: 'alert' });
	const saving = onClick(h('button', { type: 'button', class: 'secondary' }, strings.save), () => void send());
	const giveUp = onClick(h('button', { type: 'button' }, strings.cancel), () => {
		drafts.forget();
		keep(nothingKept);
		leave();
	});
	const typed = (): TicketText => ({ title: line.value, description: box.textarea.value });
	const drafts = draftKeeper(() => keep(typed()));
	let isSending = false;
	let standsOn = from;

	function leave(): void {
		drafts.dispose();
		close();
	}

	function setSending(next: boolean): void {
		isSending = next;
		line.readOnly = next;
		box.textarea.readOnly = next;
		saving.disabled = next;
		giveUp.disabled = next;
		setAttributes(form, { 'aria-busy': String(next) });
	}

	async function send(): Promise<void> {
		if (isSending) {
			return;
		}
		setSending(true);
		// The host deletes only a draft equal to the sent text, so send it that text first.
		keepTyped();
		drafts.flush();
		failed.replaceChildren();
		try {
			const answer = await save({ ...typed(), from: standsOn });
			if (answer.kind === 'done') {
				leave();
				return;
			}
			failed.replaceChildren(icon('error'), answer.text);
			if (answer.kind === 'conflict') {
				standsOn = answer.now;
				shown(true, true);
			}
		} catch (error) {
			failed.replaceChildren(icon('error'), reasonOf(error));
		} finally {
			setSending(false);
		}
	}

	const form = h(
		'div',
		{ class: 'comment-editor' },
		failed,
		line,
		...box.nodes,
		h('div', { class: 'actions' }, giveUp, saving),
	);
	// The line feed keeps the draft nonempty, because an empty draft is deleted.
	const keepTyped = (): void => drafts.typed(`${line.value}\n${box.textarea.value}`);
	form.addEventListener('input', keepTyped);
	form.addEventListener('keydown', (event) => {
		if (box.key(event)) {
			return;
		}
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			void send();
		}
	});
	return [form];
}
