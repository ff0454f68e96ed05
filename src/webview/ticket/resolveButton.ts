import type { ResolutionChoice, TicketPageStrings } from '../../protocol/ticketProtocol.ts';
import { h, onClick, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';

export interface ResolveButtonParts {
	readonly strings: TicketPageStrings;
	readonly resolutions: readonly ResolutionChoice[];
	readonly chosen: ResolutionChoice;
	readonly onChoose: (resolution: ResolutionChoice) => void;
	readonly resolve: () => void;
}

/** A button that resolves, and beside it the choice of how. Choosing does not send. */
export interface ResolveButton {
	readonly element: HTMLElement;
	readonly main: HTMLButtonElement;
	readonly choice: HTMLButtonElement;
}

/** Arrow keys move in the menu, Escape and leaving close it. */
export function resolveButton({ strings, resolutions, chosen, onChoose, resolve }: ResolveButtonParts): ResolveButton {
	const main = onClick(
		h('button', { type: 'button', class: 'secondary', 'aria-describedby': 'composer-note' }),
		resolve,
	);
	const choice = onClick(
		h(
			'button',
			{
				type: 'button',
				class: 'secondary choice',
				title: strings.chooseResolution,
				'aria-label': strings.chooseResolution,
				'aria-haspopup': 'menu',
				'aria-expanded': 'false',
			},
			icon('more'),
		),
		() => toggle(menu.hidden === true),
	);
	const items = resolutions.map((resolution) => {
		const item = h(
			'button',
			{
				type: 'button',
				role: 'menuitemradio',
				tabindex: '-1',
				'aria-checked': String(resolution.word === chosen.word),
			},
			resolution.text,
		);
		return onClick(item, () => {
			for (const other of items) {
				setAttributes(other, { 'aria-checked': String(other === item) });
			}
			onChoose(resolution);
			toggle(false);
			main.focus();
		});
	});
	const menu = h(
		'div',
		{ class: 'menu', role: 'menu', 'aria-label': strings.chooseResolution, hidden: true },
		...items,
	);
	const element = h('div', { class: 'split' }, main, choice, menu);

	function toggle(open: boolean): void {
		menu.hidden = !open;
		setAttributes(choice, { 'aria-expanded': String(open) });
		if (open) {
			(items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
		}
	}

	function move(by: number): void {
		const at = items.findIndex((item) => item === document.activeElement);
		items.at((at + by) % items.length)?.focus();
	}

	menu.addEventListener('keydown', (event) => {
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			event.preventDefault();
			move(event.key === 'ArrowDown' ? 1 : -1);
		} else if (event.key === 'Escape') {
			event.stopPropagation();
			toggle(false);
			choice.focus();
		}
	});
	element.addEventListener('focusout', ({ relatedTarget }) => {
		if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) {
			toggle(false);
		}
	});
	return { element, main, choice };
}
