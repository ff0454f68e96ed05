import { disabledBecause, h, onClick, pushButton, setAttributes } from './dom.ts';
import { icon } from './icons.ts';

export interface MenuItem {
	readonly text: string;
	/** For a choice: true for the current one. */
	readonly isChecked?: boolean;
	/** Why it is disabled; it stays focusable, so that the reason remains accessible. */
	readonly reason?: string | undefined;
	readonly run: () => void;
}

/** A menu below or above its button. */
export interface Menu {
	/** Contains button and menu. */
	readonly element: HTMLElement;
	readonly show: (items: readonly MenuItem[]) => void;
}

/** Arrow keys, Home and End move; Escape and focus loss close. */
export function menu(button: HTMLButtonElement, label: string, beside: readonly Node[] = []): Menu {
	const list = h('div', { class: 'menu', role: 'menu', 'aria-label': label, hidden: true });
	const element = h('div', { class: 'split' }, ...beside, button, list);
	let items: readonly HTMLButtonElement[] = [];
	setAttributes(button, { 'aria-haspopup': 'menu', 'aria-expanded': 'false' });
	onClick(button, () => toggle(list.hidden === true));

	function toggle(open: boolean): void {
		list.hidden = !open;
		setAttributes(button, { 'aria-expanded': String(open) });
		if (open) {
			(items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
		}
	}

	list.addEventListener('keydown', (event) => {
		const at = items.findIndex((item) => item === document.activeElement);
		const next = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
		if (event.key === 'Escape') {
			toggle(false);
			button.focus();
		} else if (next === undefined) {
			return;
		} else {
			items.at(next)?.focus();
		}
		event.preventDefault();
		event.stopPropagation();
	});
	element.addEventListener('focusout', ({ relatedTarget }) => {
		if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) {
			toggle(false);
		}
	});
	return {
		element,
		show(next) {
			const before = items;
			const focused = before.find((item) => item === document.activeElement);
			items = next.map(({ text, isChecked, reason, run }) => {
				const role = isChecked === undefined ? 'menuitem' : 'menuitemradio';
				const checked = isChecked === undefined ? undefined : String(isChecked);
				const item = h('button', { type: 'button', role, tabindex: '-1', 'aria-checked': checked }, text);
				setAttributes(item, disabledBecause(reason));
				return onClick(item, () => {
					if (reason === undefined) {
						toggle(false);
						button.focus();
						run();
					}
				});
			});
			list.append(...items);
			// Move the focus before removing its element, or the focus loss would close the menu.
			if (focused) {
				(items.find(({ textContent }) => textContent === focused.textContent) ?? items[0])?.focus();
			}
			before.forEach((item) => item.remove());
		},
	};
}

/** Labels of the buttons. */
export interface CornerStrings {
	readonly more: string;
	readonly openOnWeb: string;
}

/** Opens the item's page on the web. */
export function webButton({ openOnWeb }: Pick<CornerStrings, 'openOnWeb'>, run: () => void): HTMLElement {
	return pushButton({ class: 'bare', title: openOnWeb, 'aria-label': openOnWeb }, run, icon('globe'));
}

/** The same with a menu of rare actions, for the corner of the page. */
export function moreMenu(strings: CornerStrings, openOnWeb: () => void, items: readonly MenuItem[]): HTMLElement {
	const { more } = strings;
	const button = h('button', { class: 'bare', type: 'button', title: more, 'aria-label': more }, icon('actions'));
	const { element, show } = menu(button, more, [webButton(strings, openOnWeb)]);
	element.classList.add('corner');
	show(items);
	return element;
}
