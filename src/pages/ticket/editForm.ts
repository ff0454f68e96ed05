import { h, setAttributes, pushButton } from '../dom.ts';
import { draftKeeper } from '../draftKeeper.ts';
import { icon } from '../icons.ts';
import type { TicketPageStrings } from '../protocol/ticketProtocol.ts';
import { reasonOf } from '../voice.ts';
import type { textBox } from './textBox.ts';

interface EditActions {
	/** Stores the draft on each change. */
	readonly keep: () => void;
	/** Deletes the draft. */
	readonly drop: () => void;
	/** Resolves to nothing when done, else to the refusal. */
	readonly save: () => Promise<readonly (Node | string)[] | undefined>;
	/** Removes the form. */
	readonly close: () => void;
}

/** A text box with Save and Cancel. Keeps the text until the forge has it, or the user cancels. `line`: a field above. */
export function editForm(
	strings: TicketPageStrings,
	box: ReturnType<typeof textBox>,
	actions: EditActions,
	line?: HTMLInputElement,
): HTMLElement {
	const failed = h('div', { class: 'failure', role: 'alert' });
	const saving = pushButton('secondary', () => void send(), strings.save);
	const giveUp = pushButton(
		{},
		() => {
			drafts.forget();
			actions.drop();
			leave();
		},
		strings.cancel,
	);
	const drafts = draftKeeper(actions.keep);
	let isSending = false;

	function leave(): void {
		drafts.dispose();
		actions.close();
	}

	/** Read-only while sending: typed text would be neither in the old nor in the new text. */
	function setSending(next: boolean): void {
		isSending = next;
		for (const field of line ? [line, box.textarea] : [box.textarea]) {
			field.readOnly = next;
		}
		saving.disabled = next;
		giveUp.disabled = next;
		setAttributes(form, { 'aria-busy': String(next) });
	}

	async function send(): Promise<void> {
		if (isSending) {
			return;
		}
		setSending(true);
		if (line) {
			// The host deletes only a draft equal to the sent texts, so send it those first.
			keepTyped();
		}
		drafts.flush();
		failed.replaceChildren();
		try {
			const refusal = await actions.save();
			if (refusal === undefined) {
				leave();
				return;
			}
			failed.replaceChildren(icon('error'), ...refusal);
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
		...(line ? [line] : []),
		...box.nodes,
		h('div', { class: 'actions' }, giveUp, saving),
	);
	// The line feed keeps a draft with a line nonempty: an empty text goes out at once, as a deletion.
	const keepTyped = (): void => drafts.typed(line ? `${line.value}\n${box.textarea.value}` : box.textarea.value);
	form.addEventListener('input', keepTyped);
	form.addEventListener('keydown', (event) => {
		if (!box.key(event) && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			void send();
		}
	});
	return form;
}
