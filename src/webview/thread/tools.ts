import type { ThreadLook } from '../../protocol/threadProtocol.ts';
import type { ThreadPageStrings } from '../../protocol/threadStrings.ts';
import { h, onClick } from '../dom.ts';
import { icon } from '../icons.ts';

export interface ToolsParts {
	readonly strings: ThreadPageStrings;
	readonly look: ThreadLook;
	readonly choose: (look: ThreadLook) => void;
	readonly step: (way: 'next' | 'previous') => void;
}

/** How the mails are looked at. It stays in reach while one reads. */
export function tools({ strings, choose, step, ...parts }: ToolsParts): HTMLElement {
	let { look } = parts;

	function toggle(text: string, name: keyof ThreadLook): HTMLElement {
		const button = h('button', { type: 'button', class: 'toggle', 'aria-pressed': String(look[name]) }, text);
		return onClick(button, () => {
			look = { ...look, [name]: !look[name] };
			button.setAttribute('aria-pressed', String(look[name]));
			choose(look);
		});
	}

	function move(text: string, way: 'next' | 'previous'): HTMLElement {
		const button = h('button', { type: 'button', class: 'bare', 'aria-label': text, title: text }, icon(way));
		return onClick(button, () => step(way));
	}

	return h(
		'div',
		{ class: 'tools', role: 'group', 'aria-label': strings.tools },
		toggle(strings.wrap, 'areLinesWrapped'),
		toggle(strings.unfoldQuotes, 'areQuotesOpen'),
		h('span', { class: 'steps' }, move(strings.previousMail, 'previous'), move(strings.nextMail, 'next')),
	);
}
