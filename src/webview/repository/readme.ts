import type { ReadmeView } from '../../protocol/repositoryView.ts';
import { h, hostHtml } from '../dom.ts';
import { fill } from '../fill.ts';
import { linkButton } from '../mailBlocks.ts';
import { pilled } from '../texts.ts';
import { textPieces } from '../textPieces.ts';
import type { PageWays } from './ways.ts';

/** The README below its name, by which it opens in the editor. */
export function readmeNodes(view: ReadmeView, { strings, run }: PageWays): readonly Node[] {
	const open = linkButton(fill(strings.openNamed, view.name), () => run('openReadme'));
	return [h('p', { class: 'readme-name' }, open), readmeNode(view)];
}

function readmeNode(view: ReadmeView): HTMLElement {
	switch (view.kind) {
		case 'markdown': {
			const element = h('div', { class: 'markdown readme' }, hostHtml(view.html));
			for (const picture of element.querySelectorAll('img')) {
				picture.decoding = 'async';
			}
			return element;
		}
		case 'text':
			return h('div', { class: 'mail-text readme' }, textPieces(view.pieces));
		case 'unfit':
			return h('p', { class: 'quiet' }, pilled(view.text));
	}
}

/** Brings the heading that a link within the README names into view, or where the README begins. */
export function revealHeading(fragment: string): void {
	const name = decoded(fragment.slice(1));
	const named = [...document.querySelectorAll<HTMLElement>('[data-anchor]')].find(
		({ dataset: { anchor } }) => anchor !== '' && (anchor === name || anchor === name.toLowerCase()),
	);
	const heading = named ?? (/^(?:top)?$/i.test(name) ? document.querySelector<HTMLElement>('#readme-title') : null);
	heading?.setAttribute('tabindex', '-1');
	heading?.focus({ preventScroll: true });
	heading?.scrollIntoView({ block: 'start' });
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
