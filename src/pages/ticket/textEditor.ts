import type { TextStart, TicketText } from '../protocol/ticketProtocol.ts';
import { h } from '../dom.ts';
import { reasonOf } from '../voice.ts';
import { editForm } from './editForm.ts';
import { textBox } from './textBox.ts';
import type { TicketPage } from './ticketPage.ts';

/**
 * Boxes for title and description. `shown`: called when they open or close; in a `conflict`, title and description stay
 * visible too.
 */
export function textEditor(page: TicketPage, shown: (isOpen: boolean, conflict: boolean) => void) {
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
			element.replaceChildren(form(await page.link.ask('ticketText', undefined)));
			element.hidden = false;
			shown(true, false);
			focus();
		} catch (error) {
			page.say(reasonOf(error));
		} finally {
			isOpening = false;
		}
	}

	function close(): void {
		// Call first: the removal loses the focus that it checks.
		shown(false, false);
		element.replaceChildren();
		element.hidden = true;
	}

	/** Starts with the current text, or its draft. */
	function form({ title, description, from }: TextStart): HTMLElement {
		const { strings, link, done, tellWriting } = page;
		const line = h('input', { type: 'text', 'aria-label': strings.title, spellcheck: 'true' });
		line.value = title;
		const box = textBox(page, 'edit-text', strings.description, description);
		const typed = (): TicketText => ({ title: line.value, description: box.textarea.value });
		let standsOn = from;
		/** Stores a draft; two empty texts delete it. */
		function keep(text: TicketText): void {
			tellWriting();
			done(link.ask('keepText', text));
		}
		return editForm(
			strings,
			box,
			{
				keep: () => keep(typed()),
				drop: () => keep({ title: '', description: '' }),
				async save() {
					const answer = await link.ask('editText', { ...typed(), from: standsOn });
					if (answer.kind === 'done') {
						return undefined;
					}
					if (answer.kind === 'conflict') {
						standsOn = answer.now;
						shown(true, true);
					}
					return [answer.text];
				},
				close,
			},
			line,
		);
	}

	return {
		element,
		/** Leaves the focus alone when it opens without a request. */
		open: (takesFocus: boolean): void => void open(takesFocus),
	};
}
