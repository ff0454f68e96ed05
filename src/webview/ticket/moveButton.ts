import type { TicketPageStrings } from '../../protocol/ticketStrings.ts';
import type { MoveChoice } from '../../protocol/ticketView.ts';
import { h, onClick } from '../dom.ts';
import { icon } from '../icons.ts';
import { menu } from '../menu.ts';

export interface MoveButtonParts {
	readonly strings: TicketPageStrings;
	/** Key of the last chosen status change. */
	readonly chosen: string | undefined;
	readonly onChoose: (key: string) => void;
	readonly move: () => void;
}

/** A button that changes the status, with a menu to choose one. Choosing sends nothing. */
export interface MoveButton {
	readonly element: HTMLElement;
	readonly main: HTMLButtonElement;
	/** The current status change; `undefined` when none is allowed. */
	chosen(): MoveChoice | undefined;
	show(moves: readonly MoveChoice[], hasComment: boolean): void;
}

/** Remembers the choice even while it is not on offer. */
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
