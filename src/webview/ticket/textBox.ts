import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import { h, hostHtml, type Attributes } from '../dom.ts';
import { completion, type CompletionParts } from './completion.ts';
import { writeTabs } from './writeTabs.ts';

/** What somebody who writes Markdown is helped by. */
export interface WritingHelp extends Pick<CompletionParts, 'complete'> {
	/** A text as it will look, as safe HTML made by the host. */
	readonly preview: (text: string) => Promise<string>;
}

export interface TextBoxParts {
	readonly strings: TicketPageStrings;
	readonly help: WritingHelp;
	/** Unique on the page. */
	readonly id: string;
	readonly label: string;
	readonly text: string;
	/** Of the box itself, beyond those that every box has. */
	readonly attributes?: Attributes;
}

/** A box for Markdown, with people and tickets completed, and with the text as it will look. */
export interface TextBox {
	readonly textarea: HTMLTextAreaElement;
	readonly nodes: readonly Node[];
	/** Goes back from the look to the text. */
	write(): void;
	/** Takes a key press if it is meant for what is suggested. */
	key(event: KeyboardEvent): boolean;
}

/** Nothing is sent from here: who makes the box listens to it. */
export function textBox({ strings, help, id, label, text, attributes = {} }: TextBoxParts): TextBox {
	const textarea = h('textarea', { id, 'aria-label': label, spellcheck: 'true', ...attributes });
	textarea.value = text;
	const suggestions = completion({
		textarea,
		id: `${id}-suggestions`,
		label: strings.suggestions,
		complete: help.complete,
	});
	const tabs = writeTabs({ strings, id, label, textarea, preview: renderPreview });

	async function renderPreview(): Promise<Node> {
		const now = textarea.value;
		return now.trim() === ''
			? h('p', { class: 'quiet' }, strings.nothingToPreview)
			: h('div', { class: 'markdown' }, hostHtml(await help.preview(now)));
	}

	return {
		textarea,
		nodes: [suggestions.element, tabs.element],
		write: () => tabs.write(),
		key: (event) => event.target === textarea && suggestions.key(event),
	};
}
