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
		fragment.append(partNode(part));
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

function partNode(part: Part): Node {
	switch (part.kind) {
		case 'text':
			return pilled(part.text);
		case 'status':
			return h('strong', {}, pilled(part.text));
		case 'label':
			return labelChip(part);
		case 'ticket':
			return h('a', { href: part.href, title: part.title }, pilled(part.text));
		case 'person':
			return person(part);
	}
}

function person({ name, detail, mark, href }: Part & { readonly kind: 'person' }): Node {
	const fragment = document.createDocumentFragment();
	const attributes = { class: 'person', title: detail };
	fragment.append(
		href === undefined ? h('span', attributes, pilled(name)) : h('a', { ...attributes, href }, pilled(name)),
	);
	if (mark !== undefined) {
		fragment.append(' ', h('span', { class: 'mark' }, mark));
	}
	return fragment;
}
