export interface TextQuery {
	readonly text: string;
	readonly matchCase: boolean;
	readonly wholeWord: boolean;
	readonly isRegex: boolean;
}

/** A regular expression for a single line. */
export interface TextPattern {
	readonly source: string;
	readonly flags: string;
}

/** Longer queries are paste accidents. */
const longestTextQuery = 1000;

export type TextQueryProblem =
	| { readonly kind: 'tooLong'; readonly longest: number }
	/** Searches go line by line. */
	| { readonly kind: 'lineBreak' }
	/** `why`: the engine's reason without the pattern. */
	| { readonly kind: 'noPattern'; readonly why: string };

export type TextQueryReading =
	| { readonly kind: 'pattern'; readonly pattern: TextPattern }
	| { readonly kind: 'problem'; readonly problem: TextQueryProblem };

/** Word characters: all scripts in Unicode mode, otherwise ASCII. */
const wordParts = { u: String.raw`[\p{L}\p{M}\p{N}_]`, '': String.raw`\w` } as const;

/**
 * Compiles a query. Falls back from Unicode mode, where needless escapes are errors. The pattern may still be slow on
 * some text, so run it in a thread.
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
		const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
		return { kind: 'pattern', pattern: patternOf(query, escaped, 'u') };
	}
	const refusal = refusalOf(text, 'u');
	if (refusal === undefined) {
		return { kind: 'pattern', pattern: patternOf(query, text, 'u') };
	}
	return refusalOf(text, '') === undefined
		? { kind: 'pattern', pattern: patternOf(query, text, '') }
		: { kind: 'problem', problem: { kind: 'noPattern', why: refusal } };
}

/** Adds a word boundary only beside a word character. */
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
