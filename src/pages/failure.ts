import { pushButton, h } from './dom.ts';
import { icon } from './icons.ts';
import { pilled } from './texts.ts';

/** An error with a retry button. */
export function failure(reason: string, tryAgain: string, again: () => void): readonly HTMLElement[] {
	return [
		h('span', { class: 'failure' }, icon('error'), h('span', {}, pilled(reason))),
		pushButton('secondary', again, tryAgain),
	];
}

/** The same as a notice of its own. */
export function failureNotice(reason: string, tryAgain: string, again: () => void): HTMLElement {
	return h('div', { class: 'notice' }, ...failure(reason, tryAgain, again));
}
