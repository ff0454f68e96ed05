import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { MoveChoice } from '../../protocol/ticketView.ts';
import { h, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { menu } from '../menu.ts';

export interface MoveButtonParts {
	readonly strings: TicketPageStrings;
	/** The move chosen last, by its key. */
	readonly chosen: string | undefined;
	readonly onChoose: (key: string) => void;
	readonly move: () => void;
}

/** A button that moves the ticket, and beside it the choice of how. Choosing does not send. */
export interface MoveButton {
	readonly element: HTMLElement;
	readonly main: HTMLButtonElement;
	/** The move that the button stands for; `undefined` when none is offered. */
	chosen(): MoveChoice | undefined;
	show(moves: readonly MoveChoice[], hasComment: boolean): void;
}

/** Remembers what was chosen even while it is not offered. */
export function moveButton({ strings, onChoose, move, ...parts }: MoveButtonParts): MoveButton {
	const main = onClick(h('button', { type: 'button', class: 'secondary', 'aria-describedby': 'composer-note' }), move);
	const choice = h(
		'button',
		{ type: 'button', class: 'secondary choice', title: strings.chooseMove, 'aria-label': strings.chooseMove },
		icon('more'),
	);
	const { element, show } = menu(choice, strings.chooseMove, [main]);
	let offered: readonly MoveChoice[] = [];
	let key = parts.chosen;
	let shown = '';
	const chosen = (): MoveChoice | undefined => offered.find((each) => each.key === key) ?? offered[0];

	return {
		element,
		main,
		chosen,
		show(moves, hasComment) {
			offered = moves;
			const now = chosen();
			element.hidden = now === undefined;
			choice.hidden = moves.length < 2;
			main.textContent = (hasComment ? now?.commentAndMove : now?.move) ?? '';
			const said = JSON.stringify([moves, now?.key]);
			if (said !== shown) {
				shown = said;
				show(
					moves.map((each) => ({
						text: each.text,
						isChecked: each === now,
						run: () => {
							key = each.key;
							onChoose(each.key);
							main.focus();
						},
					})),
				);
			}
		},
	};
}
