import type { MailStrings } from './protocol/mailStrings.ts';
import { h } from './dom.ts';
import { fill } from './fill.ts';

/** Formats a number; `locale` is a BCP 47 tag. */
export function counted(count: number, { locale }: { readonly locale: string }): string {
	return new Intl.NumberFormat(locale).format(count);
}

/** `+12 −4`, with a sentence for screen readers. */
export function lineCounts(
	{ added, removed }: { readonly added: number; readonly removed: number },
	context: { readonly strings: Pick<MailStrings, 'linesChanged' | 'oneLineAdded'>; readonly locale: string },
): HTMLElement {
	const [more, less] = [counted(added, context), counted(removed, context)];
	const { linesChanged, oneLineAdded } = context.strings;
	const spoken = added === 1 ? fill(oneLineAdded, less) : fill(linesChanged, more, less);
	return h(
		'span',
		{ class: 'changes' },
		h('span', { class: 'read-aloud' }, spoken),
		h('span', { class: 'more', 'aria-hidden': 'true' }, `+${more}`),
		h('span', { 'aria-hidden': 'true' }, ' '),
		h('span', { class: 'less', 'aria-hidden': 'true' }, `\u2212${less}`),
	);
}
