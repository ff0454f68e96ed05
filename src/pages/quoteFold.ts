import type { MailStrings } from './protocol/mailStrings.ts';
import type { MailBlock } from './protocol/mailView.ts';
import { h, onClick } from './dom.ts';
import { fill } from './fill.ts';
import { icon } from './icons.ts';
import { pilled } from './texts.ts';
import { textPieces } from './textPieces.ts';

type Quote = MailBlock & { readonly kind: 'quote' };

/** Event from `setQuotes`. */
const foldEvent = 'fold-quotes';

/** A foldable quote with its number of lines. A one-line quote doesn't fold. */
export function quoteFold(quote: Quote, strings: MailStrings, isOpen: boolean): HTMLElement {
	if (quote.lines === 1) {
		return h('div', { class: 'quote' }, quoted(quote));
	}
	const text = fill(strings.quotedLines, String(quote.lines));
	const button = h(
		'button',
		{ type: 'button', class: 'bare fold' },
		icon('more'),
		h('span', {}, text),
		h('span', { class: 'hint', 'aria-hidden': 'true' }, pilled(quote.hint)),
	);
	const element = h('div', { class: 'quote' }, button);
	let content: HTMLElement | undefined;
	const show = (isShown: boolean): void => {
		button.setAttribute('aria-expanded', String(isShown));
		if (isShown && !content) {
			// Lazy, because most quotes stay folded.
			content = quoted(quote);
			element.append(content);
		}
		content?.toggleAttribute('hidden', !isShown);
	};
	onClick(button, () => show(button.getAttribute('aria-expanded') !== 'true'));
	element.addEventListener(foldEvent, (event) => show(event instanceof CustomEvent && event.detail === true));
	show(isOpen);
	return element;
}

/** Folds or unfolds all quotes below an element. */
export function setQuotes(root: ParentNode, isOpen: boolean): void {
	for (const quote of root.querySelectorAll('.quote')) {
		quote.dispatchEvent(new CustomEvent(foldEvent, { detail: isOpen }));
	}
}

function quoted({ runs }: Quote): HTMLElement {
	const lines = runs.map(({ depth, pieces }) => {
		const run = h('div', { class: 'quoted mail-text' }, textPieces(pieces));
		run.style.setProperty('--quote-depth', String(depth));
		return run;
	});
	return h('blockquote', {}, ...lines);
}
