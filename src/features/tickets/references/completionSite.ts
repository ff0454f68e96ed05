import { commentSpans, proseSpans } from '../../../engine/text/commentSpans.ts';
import {
	actingTrailers,
	actingTrailer,
	mayBeTrailer,
	messageEnd,
	type ActingTrailer,
} from 'patchmail/series/commitTrailers.ts';

/** Kind of completion at an offset. Offsets refer to the text. */
export type CompletionSite =
	/** `#` and the text after it; `from` is the offset of the `#`. */
	| { readonly kind: 'reference'; readonly from: number }
	/** The beginning of a line that may become a trailer. */
	| { readonly kind: 'trailerKey'; readonly from: number; readonly keys: readonly ActingTrailer[] }
	/** Text after `Fixes: `. */
	| { readonly kind: 'trailerValue'; readonly from: number };

/** Text after a `#` that may start a reference. */
const begun = /(?<![^\s(])#[\p{L}\p{N}_.-]{0,60}$/u;

/** Limit for completion during typing. */
const longestText = 500_000;

/** Completion at `offset` of a text in this language; `undefined` if there is none. */
export function completionSite(whole: string, offset: number, languageId: string): CompletionSite | undefined {
	if (whole.length > longestText) {
		return undefined;
	}
	const text = languageId === 'git-commit' ? whole.slice(0, messageEnd(whole)) : whole;
	if (offset > text.length) {
		return undefined;
	}
	const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
	const before = text.slice(lineStart, offset);
	const isMessage = languageId === 'git-commit' || languageId === 'scminput';
	const trailer = isMessage ? trailerSite(text, lineStart, before, languageId) : undefined;
	if (trailer) {
		return trailer;
	}
	const found = begun.exec(before);
	if (!found || !mayRefer(text, offset, before, languageId, found.index)) {
		return undefined;
	}
	return { kind: 'reference', from: lineStart + found.index };
}

/** `before`: the line up to the caret. `at`: column of the `#`. */
function mayRefer(text: string, offset: number, before: string, languageId: string, at: number): boolean {
	const isInside = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
		start < offset && offset <= end;
	switch (languageId) {
		case 'scminput':
			return true;
		// Git takes such a line for a comment of its own.
		case 'git-commit':
			return !before.startsWith('#');
		// At the start of a line, `#` begins a heading.
		case 'markdown':
			return (at > 0 || /^#\d/.test(before)) && proseSpans(text).some(isInside);
		default:
			return commentSpans(text, languageId).some(isInside);
	}
}

function trailerSite(text: string, lineStart: number, before: string, languageId: string): CompletionSite | undefined {
	const [, word, blanks, value] = /^([A-Za-z]*)(?::([ \t]*)(\S*))?$/.exec(before) ?? [];
	if (word === undefined) {
		return undefined;
	}
	const line = text.slice(0, lineStart).split('\n').length - 1;
	// A commit message box has no comment lines.
	if (!mayBeTrailer(text, line, languageId === 'scminput' ? noLeader : '#')) {
		return undefined;
	}
	if (blanks !== undefined && value !== undefined) {
		return actingTrailer(word) && blanks !== ''
			? { kind: 'trailerValue', from: lineStart + before.length - value.length }
			: undefined;
	}
	const keys = actingTrailers.filter((key) => key.toLowerCase().startsWith(word.toLowerCase()));
	return word === '' || keys.length === 0 ? undefined : { kind: 'trailerKey', from: lineStart, keys };
}

/** No line begins with this. */
const noLeader = '\n';
