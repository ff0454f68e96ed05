import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import { isPlainAddress, plainAddressAt } from './linkPolicy.ts';

/*
 * Rules of the parser that take a shorter way. What comes out is the same.
 */

/**
 * Reads plain words as quickly as they can be read; they are most of every text. What comes out is what the parser's own
 * rules make of it.
 */
export function useQuickText(md: MarkdownIt): void {
	md.inline.ruler.at('text', plainWords);
	md.core.ruler.at('normalize', normalized);
}

/** ASCII at which a rule of the parser may begin, its own list. */
const mayBeginRule = Uint8Array.from({ length: 128 }, (_, code) =>
	Number('\n!#$%&*+-:<=>@[\\]^_`{}~'.includes(String.fromCharCode(code))),
);

function plainWords(state: StateInline, isSilent: boolean): boolean {
	const { src, pos: start, posMax: end } = state;
	let at = start;
	// Beyond ASCII nothing begins a rule, and there is nothing in the table.
	while (at < end && mayBeginRule[src.charCodeAt(at)] !== 1) {
		at += 1;
	}
	if (at === start) {
		return false;
	}
	if (!isSilent) {
		state.pending += src.slice(start, at);
	}
	state.pos = at;
	return true;
}

/** Most texts have neither of the characters that have to be replaced. */
function normalized(state: StateCore): void {
	if (state.src.includes('\r')) {
		state.src = state.src.replaceAll(/\r\n?/g, '\n');
	}
	if (state.src.includes('\0')) {
		state.src = state.src.replaceAll('\0', '\uFFFD');
	}
}

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

/** So many brackets of a paragraph are looked at in the parser's own way, which is the quickest for few. */
const mostInOwnWay = 4;

/**
 * Finds where brackets end, which are the text of a link or of a picture. The parser's own way looks through all that
 * follows from each bracket on; this one, for paragraphs of many, remembers what it found out about the brackets inside.
 * What is found is the same.
 */
export function useQuickLabels({ helpers }: MarkdownIt): void {
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

/**
 * How many characters of one text are read as addresses that are not plain. One that is refused in the end is followed by
 * a look for another inside of it, so a word that is made of addresses could be read from each of them on.
 */
const furthest = 300_000;

/** Tells plain addresses; the parser asks several times in a row about the same one. */
export function plainAddresses(): (href: string) => boolean {
	let last: string | undefined;
	return (href) => {
		if (href === last) {
			return true;
		}
		const isPlain = isPlainAddress(href);
		last = isPlain ? href : last;
		return isPlain;
	};
}

/**
 * Takes the short way with links that are plain addresses, which nearly all are: nothing in them has to be encoded,
 * decoded or guessed. All others go the parser's own way. The text that comes out is the same.
 */
export function useQuickLinks(md: MarkdownIt, isPlain: (href: string) => boolean): void {
	const { linkify } = md;
	const normalizeLink = md.normalizeLink.bind(md);
	const normalizeLinkText = md.normalizeLinkText.bind(md);
	const matchAtStart = linkify.matchAtStart.bind(linkify);
	md.normalizeLink = (url) => (isPlain(url) ? url : normalizeLink(url));
	md.normalizeLinkText = (url) => (isPlain(url) ? url : normalizeLinkText(url));
	let left = 0;
	md.core.ruler.before('normalize', 'reach_left', () => {
		left = furthest;
	});
	linkify.matchAtStart = (text) => {
		const url = plainAddressAt(text);
		if (url !== undefined) {
			return { schema: 'https:', index: 0, lastIndex: url.length, raw: url, text: url, url };
		}
		const found = left > 0 ? matchAtStart(text) : null;
		left -= found?.lastIndex ?? 0;
		return found;
	};
	ignoreInnerSlashes(md);
	const [links] = md.core.ruler.getRules('').filter(({ name }) => name.startsWith('linkify'));
	if (links) {
		md.core.ruler.at('linkify', (state) => {
			if (mayHoldMoreLinks(state)) {
				links(state);
			}
		});
	}
}

/** Two slashes behind a colon or a slash are no address, which the parser would only see after reading it to its end. */
function ignoreInnerSlashes({ linkify }: MarkdownIt): void {
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

/** Addresses were found while the text was parsed; what is left for the second look are mail addresses and oddities. */
function mayHoldMoreLinks({ tokens }: StateCore): boolean {
	for (const { type, children, content } of tokens) {
		if (type === 'inline' && (content.includes('@') || (content.includes('//') && isOutsideLinks('//', children)))) {
			return true;
		}
	}
	return false;
}

function isOutsideLinks(text: string, children: readonly Token[] | null): boolean {
	let isAfterOpening = false;
	for (const { type, content } of children ?? []) {
		if (type === 'text' && !isAfterOpening && content.includes(text)) {
			return true;
		}
		isAfterOpening = type === 'link_open';
	}
	return false;
}
