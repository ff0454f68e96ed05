import type { PartView } from '../protocol/repositoryView.ts';
import { h } from './dom.ts';
import { failure } from './failure.ts';
import { redraw } from './redraw.ts';

/** What a part of a page is made with. */
export interface PartParts<T> {
	/** Names it on the page. */
	readonly name: string;
	readonly title: string;
	readonly loading: string;
	readonly tryAgain: string;
	readonly again: () => void;
	readonly draw: (value: T) => readonly Node[];
}

/** A part's place on the page. */
export interface Part<T> {
	readonly element: HTMLElement;
	show(view: PartView<T>): void;
}

/** A part that loads and fails in its own place. What is drawn stays until something else is to be shown. */
export function part<T>({ name, title, loading, tryAgain, again, draw }: PartParts<T>): Part<T> {
	const content = h('div', { class: 'part-content' });
	const element = h(
		'section',
		{ class: `part part-${name}`, 'aria-labelledby': `${name}-title` },
		h('h2', { id: `${name}-title` }, title),
		content,
	);
	return {
		element,
		show(view) {
			element.hidden = view.kind === 'hidden';
			content.setAttribute('aria-busy', String(view.kind === 'loading'));
			switch (view.kind) {
				case 'hidden':
					return redraw(content, []);
				case 'loading':
					return redraw(content, [h('p', { class: 'quiet' }, loading)]);
				case 'failed':
					return redraw(content, [h('div', { class: 'notice' }, ...failure(view.reason, tryAgain, again))]);
				case 'shown':
					return redraw(content, draw(view.value));
			}
		},
	};
}
