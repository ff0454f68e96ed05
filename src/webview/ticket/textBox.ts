import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import { h, hostHtml, type Attributes, onClick, setAttributes } from '../dom.ts';
import { completion, type CompletionParts } from './completion.ts';
import { reasonOf } from '../voice.ts';

/** Support for writing Markdown. */
export interface WritingHelp extends Pick<CompletionParts, 'complete'> {
	/** Rendered Markdown as safe HTML from the host. */
	readonly preview: (text: string) => Promise<string>;
}

export interface TextBoxParts {
	readonly strings: TicketPageStrings;
	readonly help: WritingHelp;
	/** Unique on the page. */
	readonly id: string;
	readonly label: string;
	readonly text: string;
	/** Additional attributes of the text area. */
	readonly attributes?: Attributes;
}

/** A Markdown box with completion and preview. */
export interface TextBox {
	readonly textarea: HTMLTextAreaElement;
	readonly nodes: readonly Node[];
	/** Switches from preview to writing. */
	write(): void;
	/** Handles a key for the completion list; true if handled. */
	key(event: KeyboardEvent): boolean;
}

/** The caller handles sending. */
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
	/** Label of the box. */
	readonly label: string;
	readonly textarea: HTMLTextAreaElement;
	/** Renders the preview. */
	readonly preview: () => Promise<Node>;
}

/** Tabs for writing and preview. */
interface WriteTabs {
	readonly element: HTMLElement;
	/** Switches to writing. */
	write(): void;
}

/** Arrow keys switch tabs, as the ARIA pattern requires. */
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
	/** Number of the current preview; earlier responses are stale. */
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
		// Keep the height, so that the page doesn't jump.
		previewPanel.style.setProperty('min-height', `${writePanel.offsetHeight}px`);
		writePanel.hidden = !isWriting;
		previewPanel.hidden = isWriting;
		asked += 1;
		if (isWriting) {
			// The next preview may show another text, so don't keep the old one.
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
