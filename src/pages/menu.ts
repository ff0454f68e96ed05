import { disabledBecause, h, onClick, setAttributes } from './dom.ts';

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

	function move(key: string): boolean {
		const at = items.findIndex((item) => item === document.activeElement);
		const next = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 }[key];
		if (next !== undefined) {
			items.at(next)?.focus();
		}
		return next !== undefined;
	}

	list.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') {
			toggle(false);
			button.focus();
		} else if (!move(event.key)) {
			return;
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
