import { h, onClick, setAttributes } from './dom.ts';
import { icon } from './icons.ts';
import { pilled } from './texts.ts';

/** The item's reference; a click copies it. */
export interface ReferenceButton {
	readonly element: HTMLElement;
	show(reference: string): void;
}

/** `label`: announces the copy action. */
export function referenceButton(label: string, copy: () => void): ReferenceButton {
	const element = onClick(h('button', { class: 'reference', type: 'button', title: label }), copy);
	return {
		element,
		show(reference) {
			setAttributes(element, { 'aria-label': `${reference}, ${label}` });
			element.replaceChildren(pilled(reference), icon('copy'));
		},
	};
}
