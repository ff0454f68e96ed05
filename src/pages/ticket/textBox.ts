import type { CompletionWish, Suggestion, TicketPageStrings } from '../protocol/ticketProtocol.ts';
import { h, type Attributes, onClick, setAttributes } from '../dom.ts';
import { markdownText, labelChip, pilled } from '../texts.ts';
import { reasonOf } from '../voice.ts';
import type { TicketPage } from './ticketPage.ts';

/** Maximum text to inspect: the longest request with its trigger and the character before. */
const wishReach = 160;

/** A trigger character after a blank or parenthesis, with its text. */
const sign = /(?:^|[\s(])([~#])([^\s~#]{0,64})$/;

/** A label in filter syntax; its name may be in quotes, even unterminated. */
const label = /(?:^|[\s(])!?label:("(?:[^"\\\n]|\\[^\n]){0,64}|[^\s"'\\]{0,64})$/;

/** The caller handles sending. `id`: unique on the page. */
export function textBox(
	{ strings, link }: TicketPage,
	id: string,
	label: string,
	text: string,
	attributes: Attributes = {},
) {
	const textarea = h('textarea', { id, 'aria-label': label, spellcheck: 'true', ...attributes });
	textarea.value = text;
	const suggestions = completion(textarea, `${id}-suggestions`, strings.suggestions, (wish) =>
		link.ask('complete', wish),
	);
	const tabs = writeTabs(strings, id, label, textarea, async () => {
		const now = textarea.value;
		return now.trim() === ''
			? h('p', { class: 'quiet' }, strings.nothingToPreview)
			: markdownText(await link.ask('preview', now));
	});

	return {
		textarea,
		nodes: [suggestions.element, tabs.element],
		/** Switches from preview to writing. */
		write: () => tabs.write(),
		/** Handles a key for the completion list; true if handled. */
		key: (event: KeyboardEvent) => event.target === textarea && suggestions.key(event),
	};
}

/** Arrow keys switch tabs, as the ARIA pattern requires. */
function writeTabs(
	strings: TicketPageStrings,
	id: string,
	label: string,
	textarea: HTMLTextAreaElement,
	preview: () => Promise<Node>,
) {
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
	return {
		element: h('div', {}, list, writePanel, previewPanel),
		/** Switches to writing. */
		write: () => select('write'),
	};
}

function tab(name: string, text: string): HTMLButtonElement {
	return h('button', { id: `${name}-tab`, type: 'button', role: 'tab', 'aria-controls': `${name}-panel` }, text);
}

function mark(button: HTMLButtonElement, isSelected: boolean): void {
	setAttributes(button, { 'aria-selected': String(isSelected), tabindex: isSelected ? '0' : '-1' });
}

/** Enter and Tab accept, arrows move, Escape closes until the text changes. */
function completion(
	textarea: HTMLTextAreaElement,
	id: string,
	label: string,
	complete: (wish: CompletionWish) => Promise<readonly Suggestion[]>,
) {
	const list = h('ul', { id, class: 'suggestions', role: 'listbox', 'aria-label': label, hidden: true });
	let suggested: readonly Suggestion[] = [];
	/** The request of the visible list. */
	let listed: string | undefined;
	let marked = 0;
	let asked = 0;
	setAttributes(textarea, { 'aria-autocomplete': 'list', 'aria-controls': id });

	function beforeCaret(): TypedWish | undefined {
		const { selectionStart: caret, selectionEnd, value } = textarea;
		return caret === selectionEnd ? typedWish(value.slice(Math.max(0, caret - wishReach), caret)) : undefined;
	}

	/** Resolves to true when its response is still current. */
	async function suggest(): Promise<boolean> {
		asked += 1;
		const turn = asked;
		const typed = beforeCaret();
		const found = typed ? await complete(typed.wish).catch(() => []) : [];
		if (turn === asked) {
			show(found, wished(typed));
		}
		return turn === asked;
	}

	function wished(typed: TypedWish | undefined): string | undefined {
		return typed ? JSON.stringify(typed.wish) : undefined;
	}

	function show(next: readonly Suggestion[], answered: string | undefined): void {
		suggested = next;
		listed = answered;
		marked = 0;
		list.hidden = next.length === 0;
		list.replaceChildren(
			...next.map(({ insert, detail, label: look }, at) => {
				// Show label names without quotes.
				const words = look ? labelChip(look) : h('span', { class: 'insert' }, pilled(insert));
				const option = h(
					'li',
					{ id: `${id}-${at}`, role: 'option' },
					words,
					...(detail === '' ? [] : [' ', h('span', { class: 'quiet' }, pilled(detail))]),
				);
				// Keeps the focus in the text.
				option.addEventListener('mousedown', (event) => {
					event.preventDefault();
					take(at);
				});
				return option;
			}),
		);
		mark(0);
	}

	function mark(at: number): void {
		marked = at;
		Array.from(list.children).forEach((option, each) => {
			setAttributes(option, { 'aria-selected': String(each === at) });
		});
		list.children[at]?.scrollIntoView({ block: 'nearest' });
		setAttributes(textarea, {
			'aria-activedescendant': suggested.length > 0 ? `${id}-${at}` : undefined,
		});
	}

	function take(at: number): void {
		const typed = beforeCaret();
		const suggestion = suggested[at];
		if (typed && suggestion) {
			const end = textarea.selectionStart;
			textarea.setRangeText(`${suggestion.insert} `, end - typed.length, end, 'end');
			textarea.dispatchEvent(new Event('input', { bubbles: true }));
		}
		close();
	}

	function close(): void {
		asked += 1;
		show([], undefined);
	}

	/** The user may type ahead: wait if the visible list belongs to older text. */
	async function takeByKey(key: 'Enter' | 'Tab'): Promise<void> {
		if (listed === wished(beforeCaret())) {
			take(marked);
		} else if (await suggest()) {
			if (suggested.length > 0) {
				take(0);
			} else if (key === 'Enter') {
				textarea.setRangeText('\n', textarea.selectionStart, textarea.selectionEnd, 'end');
				textarea.dispatchEvent(new Event('input', { bubbles: true }));
			}
		}
	}

	textarea.addEventListener('input', () => void suggest());
	textarea.addEventListener('blur', close);
	return {
		element: list,
		/** Handles a key for the list; never while it is empty. */
		key(event: KeyboardEvent) {
			if (suggested.length === 0 || event.ctrlKey || event.metaKey || event.isComposing) {
				return false;
			}
			const count = suggested.length;
			const actions: Readonly<Record<string, () => void>> = {
				ArrowDown: () => mark((marked + 1) % count),
				ArrowUp: () => mark((marked + count - 1) % count),
				Enter: () => void takeByKey('Enter'),
				Tab: () => void takeByKey('Tab'),
				Escape: close,
			};
			const doing = actions[event.key];
			if (doing) {
				event.preventDefault();
				event.stopPropagation();
				doing();
			}
			return doing !== undefined;
		},
	};
}

/** Text before the cursor to complete. */
interface TypedWish {
	readonly wish: CompletionWish;
	/** Number of characters to replace. */
	readonly length: number;
}

/** Parses the text before the cursor: `~per`, `#12`, `label:bu`, `!label:"good fi`. */
function typedWish(before: string): TypedWish | undefined {
	const [, mark, text = ''] = sign.exec(before) ?? [];
	if (mark !== undefined) {
		return { wish: { kind: mark === '~' ? 'person' : 'ticket', text }, length: text.length + 1 };
	}
	const [, name] = label.exec(before) ?? [];
	if (name === undefined) {
		return undefined;
	}
	const plain = name.startsWith('"') ? name.slice(1).replaceAll(/\\(.)/g, '$1') : name;
	return { wish: { kind: 'label', text: plain }, length: name.length };
}
