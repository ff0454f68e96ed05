import { h, pushButton } from './dom.ts';
import { icon } from './icons.ts';
import { menu, type MenuItem } from './menu.ts';

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
