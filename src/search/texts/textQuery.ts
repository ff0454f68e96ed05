/** What is looked for in texts. */
export interface TextQuery {
	readonly text: string;
	readonly matchCase: boolean;
	readonly wholeWord: boolean;
	readonly isRegex: boolean;
}

/** A query as the pattern that finds it within one line. */
export interface TextPattern {
	readonly source: string;
	readonly flags: string;
}

/** A query longer than this is a mistake in pasting. */
const longestTextQuery = 1000;

/** Why a query cannot be taken. */
export type TextQueryProblem =
	| { readonly kind: 'tooLong'; readonly longest: number }
	/** Texts are looked through line by line. */
	| { readonly kind: 'lineBreak' }
	/** `why`: the reason in the words of the engine, without the pattern. */
	| { readonly kind: 'noPattern'; readonly why: string };

export type TextQueryReading =
	| { readonly kind: 'pattern'; readonly pattern: TextPattern }
	| { readonly kind: 'problem'; readonly problem: TextQueryProblem };

/** Letters and digits of all scripts make words; where a pattern cannot be read so, those of ASCII do. */
const wordParts = { u: String.raw`[\p{L}\p{M}\p{N}_]`, '': String.raw`\w` } as const;

/**
 * Reads a query. A pattern that is none in Unicode mode, where needless backslashes are errors, is tried without it.
 * Whether it takes for ever on some text cannot be told: it has to run where it can be ended.
 */
export function readTextQuery(query: TextQuery): TextQueryReading {
	const { text, isRegex } = query;
	if (text.length > longestTextQuery) {
		return { kind: 'problem', problem: { kind: 'tooLong', longest: longestTextQuery } };
	}
	if (/[\r\n]/.test(text)) {
		return { kind: 'problem', problem: { kind: 'lineBreak' } };
	}
	if (!isRegex) {
		return { kind: 'pattern', pattern: patternOf(query, escaped(text), 'u') };
	}
	const refusal = refusalOf(text, 'u');
	if (refusal === undefined) {
		return { kind: 'pattern', pattern: patternOf(query, text, 'u') };
	}
	return refusalOf(text, '') === undefined
		? { kind: 'pattern', pattern: patternOf(query, text, '') }
		: { kind: 'problem', problem: { kind: 'noPattern', why: refusal } };
}

/** A text that begins or ends with a sign has no word there that could go on. */
function patternOf({ text, isRegex, matchCase, wholeWord }: TextQuery, source: string, mode: 'u' | ''): TextPattern {
	const part = wordParts[mode];
	const before = isRegex || RegExp(`^${part}`, mode).test(text) ? `(?<!${part})` : '';
	const after = isRegex || RegExp(`${part}$`, mode).test(text) ? `(?!${part})` : '';
	return {
		source: wholeWord ? `${before}(?:${source})${after}` : source,
		flags: `g${matchCase ? '' : 'i'}${mode}`,
	};
}

function refusalOf(source: string, flags: string): string | undefined {
	try {
		return RegExp(source, flags) ? undefined : '';
	} catch (error) {
		const message = error instanceof Error ? error.message : '';
		return message.slice(message.lastIndexOf(': ') + 2);
	}
}

function escaped(text: string): string {
	return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
