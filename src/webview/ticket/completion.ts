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

/** Completions below a text box for people, tickets and labels. */
export interface Completion {
	readonly element: HTMLElement;
	/** Handles a key for the list; never while it is empty. */
	key(event: KeyboardEvent): boolean;
}

/** Enter and Tab accept, arrows move, Escape closes until the text changes. */
export function completion({ textarea, id, label, complete }: CompletionParts): Completion {
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

/** Text before the cursor to complete. */
interface TypedWish {
	readonly wish: CompletionWish;
	/** Number of characters to replace. */
	readonly length: number;
}

/** Maximum text to inspect: the longest request with its trigger and the character before. */
const wishReach = 160;

/** A trigger character after a blank or parenthesis, with its text. */
const sign = /(?:^|[\s(])([~#])([^\s~#]{0,64})$/;

/** A label in filter syntax; its name may be in quotes, even unterminated. */
const label = /(?:^|[\s(])!?label:("(?:[^"\\\n]|\\[^\n]){0,64}|[^\s"'\\]{0,64})$/;

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
