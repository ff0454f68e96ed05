import { h, onClick, setAttributes } from './dom.ts';
import { icon } from './icons.ts';
import { pilled } from './texts.ts';

/** How the thing is called from elsewhere; a click copies it. */
export interface ReferenceButton {
	readonly element: HTMLElement;
	show(reference: string): void;
}

/** `label` says that it copies. */
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
