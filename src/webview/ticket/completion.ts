import type { CompletionWish, Suggestion } from '../../protocol/ticketProtocol.ts';
import { h, setAttributes } from '../dom.ts';
import { labelChip, pilled } from '../texts.ts';

export interface CompletionParts {
	readonly textarea: HTMLTextAreaElement;
	/** Unique on the page. */
	readonly id: string;
	readonly label: string;
	readonly complete: (wish: CompletionWish) => Promise<readonly Suggestion[]>;
}

/** Suggestions under a text box while a person, a ticket or a label is typed. */
export interface Completion {
	readonly element: HTMLElement;
	/** Takes a key press if it is meant for the suggestions; never when nothing is suggested. */
	key(event: KeyboardEvent): boolean;
}

/** Enter and Tab take what is marked, arrows mark, Escape closes and stays closed until something else is typed. */
export function completion({ textarea, id, label, complete }: CompletionParts): Completion {
	const list = h('ul', { id, class: 'suggestions', role: 'listbox', 'aria-label': label, hidden: true });
	let suggested: readonly Suggestion[] = [];
	/** What the list that is seen was asked for. */
	let listed: string | undefined;
	let marked = 0;
	let asked = 0;
	setAttributes(textarea, { 'aria-autocomplete': 'list', 'aria-controls': id });

	function beforeCaret(): TypedWish | undefined {
		const { selectionStart: caret, selectionEnd, value } = textarea;
		return caret === selectionEnd ? typedWish(value.slice(Math.max(0, caret - wishReach), caret)) : undefined;
	}

	/** Resolves with whether its answer is what is seen now: it is not once something else was typed. */
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
				// A label is called by its name, without the quotes that it may need.
				const words = look ? labelChip(look) : h('span', { class: 'insert' }, pilled(insert));
				const option = h(
					'li',
					{ id: `${id}-${at}`, role: 'option' },
					words,
					...(detail === '' ? [] : [' ', h('span', { class: 'quiet' }, pilled(detail))]),
				);
				// The text keeps the focus.
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

	/** Fingers may be quicker than the answer: the list that is still seen then belongs to what was typed before. */
	async function takeByKey(key: 'Enter' | 'Tab'): Promise<void> {
		if (listed === wished(beforeCaret())) {
			take(marked);
		} else if (await suggest()) {
			if (suggested.length > 0) {
				take(0);
			} else if (key === 'Enter') {
				breakLine();
			}
		}
	}

	function breakLine(): void {
		textarea.setRangeText('\n', textarea.selectionStart, textarea.selectionEnd, 'end');
		textarea.dispatchEvent(new Event('input', { bubbles: true }));
	}

	textarea.addEventListener('input', () => void suggest());
	textarea.addEventListener('blur', close);
	return {
		element: list,
		key(event) {
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

/** What somebody is typing that may be completed. */
interface TypedWish {
	readonly wish: CompletionWish;
	/** How many characters before the caret a suggestion takes the place of. */
	readonly length: number;
}

/** No more than this before the caret is looked at: the longest text with its sign and what comes before it. */
const wishReach = 160;

/** A sign after a blank or a parenthesis, and what follows it. */
const sign = /(?:^|[\s(])([~#])([^\s~#]{0,64})$/;

/** A label as the filter knows it: its name may be quoted, and is as long as it is not closed. */
const label = /(?:^|[\s(])!?label:("(?:[^"\\\n]|\\[^\n]){0,64}|[^\s"'\\]{0,64})$/;

/** Reads the text before a caret: `~per`, `#12`, `label:bu`, `!label:"good fi`. */
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
