import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import { h, hostHtml, type Attributes, onClick, setAttributes } from '../dom.ts';
import { completion, type CompletionParts } from './completion.ts';
import { reasonOf } from '../voice.ts';

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

interface WriteTabsParts {
	readonly strings: TicketPageStrings;
	/** Unique on the page. */
	readonly id: string;
	/** What is written in the box. */
	readonly label: string;
	readonly textarea: HTMLTextAreaElement;
	/** What the text will look like. */
	readonly preview: () => Promise<Node>;
}

/** The two faces of the box: the text, and what it will look like. */
interface WriteTabs {
	readonly element: HTMLElement;
	/** Goes back to the text. */
	write(): void;
}

/** Arrow keys change between the tabs, as tabs do. */
function writeTabs({ strings, id, label, textarea, preview }: WriteTabsParts): WriteTabs {
	const writePanel = h(
		'div',
		{ id: `${id}-write-panel`, role: 'tabpanel', 'aria-labelledby': `${id}-write-tab` },
		textarea,
	);
	const previewPanel = h('div', {
		id: `${id}-preview-panel`,
		class: 'preview',
		role: 'tabpanel',
		tabindex: '0',
		'aria-labelledby': `${id}-preview-tab`,
		hidden: true,
	});
	const writeTab = onClick(tab(`${id}-write`, strings.write), () => select('write'));
	const previewTab = onClick(tab(`${id}-preview`, strings.preview), () => select('preview'));
	/** Tells the look that is wished now from one whose answer is overtaken. */
	let asked = 0;
	const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, writeTab, previewTab);
	list.addEventListener('keydown', (event) => {
		if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
			event.preventDefault();
			const next = document.activeElement === writeTab ? 'preview' : 'write';
			select(next);
			(next === 'write' ? writeTab : previewTab).focus();
		}
	});

	function select(which: 'write' | 'preview'): void {
		const isWriting = which === 'write';
		mark(writeTab, isWriting);
		mark(previewTab, !isWriting);
		// The box keeps its height, so that the page does not jump.
		previewPanel.style.setProperty('min-height', `${writePanel.offsetHeight}px`);
		writePanel.hidden = !isWriting;
		previewPanel.hidden = isWriting;
		asked += 1;
		if (isWriting) {
			// The next look is that of another text, and until it is there no look is better than the one of before.
			previewPanel.replaceChildren();
		} else {
			void show(asked);
		}
	}

	async function show(turn: number): Promise<void> {
		const look = await preview().catch((error: unknown) => h('p', { class: 'failure' }, reasonOf(error)));
		if (turn === asked) {
			previewPanel.replaceChildren(look);
		}
	}

	select('write');
	return { element: h('div', {}, list, writePanel, previewPanel), write: () => select('write') };
}

function tab(name: string, text: string): HTMLButtonElement {
	return h('button', { id: `${name}-tab`, type: 'button', role: 'tab', 'aria-controls': `${name}-panel` }, text);
}

function mark(button: HTMLButtonElement, isSelected: boolean): void {
	setAttributes(button, { 'aria-selected': String(isSelected), tabindex: isSelected ? '0' : '-1' });
}
