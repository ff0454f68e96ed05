import { h, onClick } from './dom.ts';
import { icon } from './icons.ts';
import { pilled } from './texts.ts';

/** An error with a retry button. */
export function failure(reason: string, tryAgain: string, again: () => void): readonly HTMLElement[] {
	return [
		h('span', { class: 'failure' }, icon('error'), h('span', {}, pilled(reason))),
		onClick(h('button', { type: 'button', class: 'secondary' }, tryAgain), again),
	];
}
