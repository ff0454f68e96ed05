import type { TextPiece } from './protocol/pageProtocol.ts';
import type { LabelView, Part, Sentence } from './protocol/ticketProtocol.ts';
import { h, hostHtml } from './dom.ts';

/** Shows written-out hidden characters as pills, to make them visible. */
export function pilled(text: string): DocumentFragment {
	const fragment = document.createDocumentFragment();
	for (const piece of text.split(/(⟨U\+[0-9A-F]{4,6}⟩)/)) {
		fragment.append(piece.startsWith('⟨U+') ? h('span', { class: 'hidden-character' }, piece) : piece);
	}
	return fragment;
}

/**
 * Rendered Markdown from the host. Each outer block takes the direction of its first letter. Code runs from left to right,
 * and its letters don't count.
 */
export function markdownText(html: string, more: 'bio' | 'readme' | '' = ''): HTMLElement {
	const element = h('div', { class: `markdown ${more}`.trim() }, hostHtml(html));
	for (const code of element.querySelectorAll('pre, code')) {
		code.setAttribute('dir', 'ltr');
	}
	for (const block of element.querySelectorAll(':scope > :not([dir])')) {
		block.setAttribute('dir', 'auto');
	}
	return element;
}

/** Renders a sentence with its people, labels and tickets. */
export function sentenceNodes(sentence: Sentence): DocumentFragment {
	const fragment = document.createDocumentFragment();
	let before: Part | undefined;
	for (const part of sentence) {
		if (before?.kind === 'label' && part.kind === 'label') {
			fragment.append(' ');
		}
		switch (part.kind) {
			case 'text':
				fragment.append(pilled(part.text));
				break;
			case 'status':
				fragment.append(h('strong', {}, pilled(part.text)));
				break;
			case 'label':
				fragment.append(labelChip(part));
				break;
			case 'ticket':
				fragment.append(h('a', { href: part.href, title: part.title }, pilled(part.text)));
				break;
			case 'person': {
				const { name, detail, mark, href } = part;
				const attributes = { class: 'person', title: detail };
				fragment.append(
					href === undefined ? h('span', attributes, pilled(name)) : h('a', { ...attributes, href }, pilled(name)),
					...(mark === undefined ? [] : [' ', h('span', { class: 'mark' }, mark)]),
				);
			}
		}
		before = part;
	}
	return fragment;
}

/** A label chip. Sets colors by script, because the page's policy forbids style attributes. */
export function labelChip({ name, colors }: LabelView): HTMLElement {
	const chip = h('span', { class: colors ? 'label' : 'label plain' }, pilled(name));
	if (colors) {
		chip.style.setProperty('background-color', colors.background);
		chip.style.setProperty('color', colors.text);
	}
	return chip;
}

/** Separates facts on one line. */
export function dot(): HTMLElement {
	return h('span', { class: 'dot', 'aria-hidden': 'true' }, ' · ');
}

/** Inserts an element at `{0}`. */
export function fillElement(sentence: string, element: HTMLElement): readonly (HTMLElement | string)[] {
	const [before = '', after = ''] = sentence.split('{0}');
	return [before, element, after];
}

/** Inserts values at `{0}`, `{1}` and so on. */
export function fill(sentence: string, ...values: readonly string[]): string {
	return sentence.replaceAll(/\{(\d)\}/g, (place, at: string) => values[Number(at)] ?? place);
}

/** Text with links; `followLinks` handles the clicks. */
export function textPieces(pieces: readonly TextPiece[]): DocumentFragment {
	const fragment = document.createDocumentFragment();
	for (const piece of pieces) {
		const text = pilled(piece.text);
		fragment.append(piece.kind === 'link' ? h('a', { href: piece.href, title: piece.href }, text) : text);
	}
	return fragment;
}
