import type { MarkdownIt, StateInline } from 'markdown-it';

/*
 * Rules of the parser whose cost would grow faster than the text. The HTML stays the same.
 */

/** The offset where each bracket ends, by the offset where it starts; -1 for an open one. */
type Ends = Map<number, number>;

interface KnownEnds {
	/** Brackets with anything in them. */
	readonly any: Ends;
	/** Brackets without a link in them. */
	readonly withoutLink: Ends;
}

const closing = 0x5d;
const opening = 0x5b;

/** The parser's own search is faster for this many brackets of a paragraph. */
const mostInOwnWay = 4;

/**
 * Finds the ends of brackets that hold the text of a link or picture. The parser's own search reads the rest of the
 * paragraph for each bracket. This one caches the ends of inner brackets.
 */
export function boundLabels({ helpers }: MarkdownIt): void {
	const ownWay = helpers.parseLinkLabel;
	const known = new WeakMap<StateInline, KnownEnds>();
	let last: StateInline | undefined;
	let asked = 0;
	helpers.parseLinkLabel = (state, start, disableNested = false) => {
		asked = state === last ? asked + 1 : 0;
		last = state;
		if (asked < mostInOwnWay) {
			return ownWay(state, start, disableNested);
		}
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
	// Brackets around an open bracket are open too.
	open.forEach((each) => ends.set(each, -1));
	state.pos = pos;
	return ends.get(start) ?? -1;
}

/** Goes to the cached end of an inner bracket, or into an unknown bracket. False for an open bracket. */
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

/** Leaves the texts of pictures unparsed: pages show them as written, and pictures nest in them. */
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

/**
 * How many characters of one text the parser may match as addresses. After a refused address it looks for another one
 * inside, so the cost of a word made of addresses would grow with the square of its length.
 */
const mostMatched = 300_000;

/** Limits the search for addresses in one text. */
export function boundLinks({ linkify, core }: MarkdownIt): void {
	const matchAtStart = linkify.matchAtStart.bind(linkify);
	let left = 0;
	core.ruler.before('normalize', 'characters_left', () => {
		left = mostMatched;
	});
	linkify.matchAtStart = (text) => {
		const found = left > 0 ? matchAtStart(text) : null;
		left -= found?.lastIndex ?? 0;
		return found;
	};
	// Two slashes after a colon or a slash start no address. The parser would find that out at the end of the word.
	linkify.add('//', {
		validate(text, pos, { re }) {
			if (/[:/]/.test(text.charAt(pos - 3))) {
				return 0;
			}
			const address = re.get_relative_proto_validator();
			address.lastIndex = pos;
			return address.exec(text)?.[0].length ?? 0;
		},
	});
}
