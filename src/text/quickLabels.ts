import type { MarkdownIt, StateInline } from 'markdown-it';

/** Where brackets end of which that was found, by where they begin; -1 for those that do not. */
type Ends = Map<number, number>;

interface KnownEnds {
	/** Brackets with anything in them. */
	readonly any: Ends;
	/** Brackets without a link in them. */
	readonly withoutLink: Ends;
}

const closing = 0x5d;
const opening = 0x5b;

/**
 * Finds where brackets end, which are the text of a link or of a picture. The parser's own way looks through all that
 * follows from each bracket on; this one remembers what it found out about the brackets inside. What is found is the same.
 */
export function useQuickLabels({ helpers }: MarkdownIt): void {
	const known = new WeakMap<StateInline, KnownEnds>();
	helpers.parseLinkLabel = (state, start, disableNested = false) => {
		let all = known.get(state);
		if (all === undefined) {
			all = { any: new Map(), withoutLink: new Map() };
			known.set(state, all);
		}
		const ends = disableNested ? all.withoutLink : all.any;
		const end = ends.get(start) ?? findEnd(state, start, { ends, mayHoldLink: !disableNested });
		return end < state.posMax ? end : -1;
	};
}

function findEnd(
	state: StateInline,
	start: number,
	{ ends, mayHoldLink }: { readonly ends: Ends; readonly mayHoldLink: boolean },
): number {
	const { pos } = state;
	const open = [start];
	state.pos = start + 1;
	let mayEnd = true;
	while (mayEnd && open.length > 0 && state.pos < state.posMax) {
		const at = state.pos;
		const sign = state.src.charCodeAt(at);
		if (sign === closing) {
			ends.set(open.pop() ?? start, at);
		}
		state.md.inline.skipToken(state);
		if (sign === opening) {
			mayEnd = state.pos === at + 1 ? goPast(at, { state, ends, open }) : mayHoldLink;
		}
	}
	// What one bracket does not end in, those around it do not either.
	open.forEach((each) => ends.set(each, -1));
	state.pos = pos;
	return ends.get(start) ?? -1;
}

/** Goes to the end of a bracket inside, or into one that nothing is known of. False when it has no end. */
function goPast(
	bracket: number,
	{ state, ends, open }: { readonly state: StateInline; readonly ends: Ends; readonly open: number[] },
): boolean {
	const end = ends.get(bracket);
	if (end === undefined) {
		open.push(bracket);
	} else if (end !== -1) {
		state.pos = end + 1;
	}
	return end !== -1;
}

/** Lets pictures have no parts: their text is shown as it was written, and in it may be pictures with pictures in theirs. */
export function leavePictureTexts({ inline }: MarkdownIt): void {
	const parse = inline.parse.bind(inline);
	let isParsing = false;
	inline.parse = (...given) => {
		if (isParsing) {
			return;
		}
		isParsing = true;
		try {
			parse(...given);
		} finally {
			isParsing = false;
		}
	};
}
