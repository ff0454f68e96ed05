import markdownIt from 'markdown-it';
import { markdownRenderer } from '../../src/text/markdown.ts';
import { commentTexts } from './commentTexts.ts';
import { counted, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { comments: 1000, rounds: 21 }, smallest: { comments: 20, rounds: 1 } } as const;

const context = {
	base: 'https://todo.forge.example/~alice/alpha/12',
	tracker: { owner: '~alice', name: 'alpha' },
};

/**
 * Renders comments with everything that the page shows (task lists, mentions, checked links, coloured code, hidden
 * characters, no pictures) against `markdown-it` as it comes, which shows none of it. In each round both get the same
 * texts, which neither has seen before, so nothing that is remembered counts.
 */
export async function renderComments(size: Size): Promise<readonly Figure[]> {
	const { comments, rounds } = sizes[size];
	const plain = markdownIt({ html: false });
	const renderer = markdownRenderer({ image: 'Picture', taskDone: 'Done', taskOpen: 'To do' });
	let texts = commentTexts(comments, 0);
	let asked = 0;
	const prepare = (): void => {
		// Both contenders of a round ask, the first of them gets new texts.
		texts = asked % 2 === 0 ? commentTexts(comments, asked + 1) : texts;
		asked += 1;
	};
	const comparison = await compare(
		{ name: 'ours', prepare, run: async () => texts.forEach((text) => renderer.render(text, context)) },
		{ name: 'markdown-it', prepare, run: async () => texts.forEach((text) => plain.render(text)) },
		rounds,
	);
	const name = `${counted(comments)} comments with everything to plain markdown-it, every text new`;
	return [ratioFigure(name, 1.4, comparison)];
}
