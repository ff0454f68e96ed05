/** Comments: their words, and phrases per 1,000 words. */
export interface Prose {
	readonly words: number;
	/** Relative clauses without a noun: "what …", "who …", "which …". */
	readonly relatives: number;
	/** Vague idioms in place of a technical term, such as "stands" and "tells". */
	readonly idioms: number;
	readonly passives: number;
}

const patterns = {
	relatives:
		/(?:^|[,;:] |\b(?:and|or|but|of|by|for|from|in|to|with|at|on) )(?:what|who|whoever|whatever|which)\b(?! (?:is|are|do|does|can) \w+\?)/gi,
	idioms:
		/\b(?:stands?|stood|standing|tells?|told|asked for|is there|are there|comes? (?:to|from|with|of)|goes on|by itself|by themselves|as long as|once it|of (?:it|them|which|whose)|by (?:which|that|it))\b/gi,
	passives:
		/\b(?:is|are|was|were|be|been|being) (?:\w+ly )?(?:\w+ed|known|shown|told|kept|made|read|sent|found|taken|given|seen|written|left|meant|said|set)\b/gi,
};

/** Measures the comments of sources. Code in backticks and sentences of fewer than four words do not count. */
export function proseOf(texts: readonly string[]): Prose {
	return measured(texts.flatMap(commentsIn).flatMap(sentencesIn));
}

/** Measures titles of tests and suites. */
export function titleProse(texts: readonly string[]): Prose {
	return measured(texts.flatMap(titlesIn));
}

/** Measures documents, without tables, headings and code. */
export function documentProse(texts: readonly string[]): Prose {
	return measured(texts.flatMap(paragraphsIn).flatMap(sentencesIn));
}

function measured(sentences: readonly string[]): Prose {
	const words = sentences.reduce((sum, sentence) => sum + wordsIn(sentence), 0);
	const rate = (pattern: RegExp): number =>
		Math.round((10_000 * sentences.flatMap((sentence) => sentence.match(pattern) ?? []).length) / Math.max(1, words)) /
		10;
	return {
		words,
		relatives: rate(patterns.relatives),
		idioms: rate(patterns.idioms),
		passives: rate(patterns.passives),
	};
}

const title = /^\s*(?:inRest\()?\w*(?:[sS]uite|[tT]est)\w*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/gm;

function titlesIn(text: string): readonly string[] {
	return Array.from(text.matchAll(title), ([, plain, template = '']) =>
		(plain ?? template).replaceAll(/\$\{[^}]*\}/g, 'X'),
	);
}

function paragraphsIn(text: string): readonly string[] {
	return text
		.replaceAll(/^```[^]*?^```/gm, '')
		.replaceAll(/^\s*\|.*$|^#.*$/gm, '')
		.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.split(/\n\s*\n|^\s*(?:[-*]|\d+\.)\s+/m)
		.map((paragraph) =>
			paragraph
				.replaceAll(/\s+/g, ' ')
				.replaceAll(/`[^`]*`/g, 'X')
				.trim(),
		);
}

function commentsIn(text: string): readonly string[] {
	const blocks = Array.from(text.matchAll(/\/\*\*?([^]*?)\*\//g), ([, block = '']) =>
		block.replaceAll(/^\s*\*+\s?/gm, ''),
	);
	const lines = Array.from(text.matchAll(/(?:^[ \t]*\/\/[^\n]*\n)+/gm), ([run]) =>
		run.replaceAll(/^[ \t]*\/+\s?/gm, ''),
	);
	return [...blocks, ...lines].map((comment) =>
		comment
			.replaceAll(/\s+/g, ' ')
			.replaceAll(/`[^`]*`/g, 'X')
			.trim(),
	);
}

function sentencesIn(comment: string): readonly string[] {
	return comment.split(/(?<=[.!?:;])\s+(?=[A-Z("*])/).filter((sentence) => wordsIn(sentence) >= 4);
}

function wordsIn(sentence: string): number {
	return sentence.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;
}
