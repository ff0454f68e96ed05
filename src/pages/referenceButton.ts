import { setAttributes, pushButton } from './dom.ts';
import { icon } from './icons.ts';
import { pilled } from './texts.ts';

/** `label`: announces the copy action. */
export function referenceButton(label: string, copy: () => void) {
	const element = pushButton({ class: 'reference', title: label }, copy);
	return {
		element,
		show(reference: string) {
			setAttributes(element, { 'aria-label': `${reference}, ${label}` });
			element.replaceChildren(pilled(reference), icon('copy'));
		},
	};
}
