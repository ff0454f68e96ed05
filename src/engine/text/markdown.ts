import markdownIt from 'markdown-it';
import type { Token, MarkdownIt, StateInline } from 'markdown-it';
import { escapeHtml } from '../../base/escapeHtml.ts';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { highlighter } from './highlighting.ts';
import { linksAsWritten } from './linkEdges.ts';
import { safeLink } from './linkPolicy.ts';
import {
	mentions,
	type MentionContext,
	isSafeLinkToken,
	linkEndToken,
	safeLinkToken,
	textToken,
	taskBoxToken,
} from './mentions.ts';
import { visible, pillsInHtml, unusual } from './visible.ts';

/** Character budget for the link addresses of one text. */
export interface LinkRoom {
	characters: number;
}

/** Rules for the links of a text. */
export interface LinkWays {
	/** Base of relative links. */
	readonly base: string;
	/** Replaces a picture without a text of its own. */
	readonly image: string;
	/** Remaining budget. A link with a longer address becomes plain text. */
	readonly room: LinkRoom;
	/** Set for a document of its own. */
	readonly document: DocumentWays | undefined;
}

/** A document of its own shows pictures and has link targets. */
export interface DocumentWays {
	/**
	 * The picture at an address, as a `data:` address. Without one, a link replaces the picture. Runs once per occurrence, in
	 * order.
	 */
	readonly picture: (address: string) => string | undefined;
}

/** Keeps only links that the policy allows, and turns pictures into links. */
function withSafeLinks(tokens: Token[], ways: LinkWays): Token[] {
	if (!tokens.some(({ type }) => type === 'link_open' || type === 'image')) {
		return tokens;
	}
	const kept: Token[] = [];
	/** For each open link: true if kept. */
	const open: boolean[] = [];
	for (const token of tokens) {
		if (token.type === 'image') {
			pushAll(kept, pictureLink(token, open.length > 0, ways));
			continue;
		}
		if (token.type === 'link_open') {
			const isSafe = isSafeLinkToken(token);
			const allowed = isSafe ? undefined : allowedHref(String(token.attrGet('href') ?? ''), ways);
			if (!isSafe) {
				token.attrs = allowed === undefined ? [] : [['href', allowed]];
			}
			open.push(isSafe || allowed !== undefined);
		}
		const isLink = token.type === 'link_open' || token.type === 'link_close';
		if (!isLink || open.at(-1) === true) {
			kept.push(token);
		}
		if (token.type === 'link_close') {
			open.pop();
		}
	}
	return kept;
}

function allowedHref(href: string, { base, room, document }: LinkWays): string | undefined {
	if (href.length > room.characters) {
		return undefined;
	}
	const allowed = safeLink(href, base)?.href;
	room.characters -= allowed?.length ?? href.length;
	if (document && href.startsWith('#')) {
		// In a document, such a link leads to a heading, or without a name to the top.
		return allowed && `#${URL.parse(allowed)?.hash.slice(1) ?? ''}`;
	}
	return allowed;
}

/** Links cannot nest, so a linked picture becomes the link's text unless it is available. */
function pictureLink(picture: Token, isInLink: boolean, ways: LinkWays): readonly Token[] {
	const text = textToken(picture.content.trim() === '' ? ways.image : picture.content);
	const src = String(picture.attrGet('src') ?? '');
	const address = ways.document && safeLink(src, ways.base)?.href;
	const shown = address === undefined ? undefined : ways.document?.picture(address);
	if (shown !== undefined) {
		picture.attrs = [
			['src', shown],
			['alt', ''],
		];
		// It becomes an attribute, and an attribute cannot contain pills.
		picture.children = [textToken(visible(text.content))];
		return [picture];
	}
	const href = isInLink ? undefined : allowedHref(src, ways);
	return href === undefined ? [text] : [safeLinkToken(href), text, linkEndToken()];
}

/** Accessible names of task boxes. */
export interface TaskWords {
	readonly taskDone: string;
	readonly taskOpen: string;
}

/** Start of a task: its box and a blank. */
const box = /^\[([ xX\u00A0])\](?=[ \u00A0])/;

/** Turns `[ ]` and `[x]` at the start of list items into boxes, in one pass over the text. */
export function taskLists(md: MarkdownIt, words: TaskWords): void {
	md.core.ruler.after('inline', 'task_lists', ({ tokens }) => {
		for (const [at, item] of tokens.entries()) {
			const isParagraph = item.type === 'list_item_open' && tokens[at + 1]?.type === 'paragraph_open';
			const children = isParagraph ? tokens[at + 2]?.children : undefined;
			const first = children?.[0];
			const found = first?.type === 'text' ? box.exec(first.content) : null;
			if (children && first && found) {
				const [written, sign] = found;
				first.content = first.content.slice(written.length);
				children.unshift(taskBoxToken(sign === 'x' || sign === 'X'));
				item.attrs = [['class', 'task-list-item']];
			}
		}
	});
	// An image with a label, not a control: nobody can tick it here.
	md.renderer.rules['task_box'] = (tokens, at) => {
		const isDone = tokens[at]?.info === 'done';
		const word = escapeHtml(isDone ? words.taskDone : words.taskOpen);
		return `<span class="task-box${isDone ? ' done' : ''}" role="img" aria-label="${word}"></span>`;
	};
}

/** Longer names lead nowhere that anybody would write down. */
const longestAnchor = 200;

const closing = 0x5d;

const opening = 0x5b;

/** The parser's own search is faster for this many brackets of a paragraph. */
const mostInOwnWay = 4;

/**
 * How many characters of one text the parser may match as addresses. After a refused address it looks for another one
 * inside, so the cost of a word made of addresses would grow with the square of its length.
 */
const mostMatched = 300_000;

/** Maximum nesting of quotes and lists; a list counts twice. Each level is looked at again for each line. */
const deepest = 24;

/** Words that the renderer adds to a text. */
export interface MarkdownWords extends TaskWords {
	/** Replaces a picture without a text of its own. */
	readonly image: string;
}

/** Context of a text: links are relative to `base`, and paths to its origin. */
export interface MarkdownContext extends MentionContext {
	/**
	 * For a document of its own, such as a README. It shows its pictures, headings have their link name as `data-anchor`, and
	 * links to them keep the form `#name`.
	 */
	readonly document?: DocumentWays;
}

/** Longer texts appear as written. The forge's own limit is a sixth. */
const longestText = 100_000;

/** Placeholder base for link checks while parsing. It only decides the origin. */
const anyBase = 'https://forge.invalid/';

const contextKey = 'forgeDeskContext';

/** Renders untrusted Markdown. */
export type MarkdownRenderer = ReturnType<typeof markdownRenderer>;

/** Create it once and use it for every text. */
export function markdownRenderer(words: MarkdownWords) {
	const md = markdownIt({ html: false, linkify: true, typographer: false });
	const code = highlighter();
	md.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });
	md.validateLink = (href) => safeLink(href, anyBase) !== undefined;
	boundLinks(md);
	linksAsWritten(md);
	boundLabels(md);
	leavePictureTexts(md);
	boundBlocks(md);
	taskLists(md, words);
	mentions(md, contextIn);
	md.core.ruler.push('pictures_and_links', ({ env, src, tokens }) => {
		const { base = anyBase, document } = contextIn(env) ?? {};
		// Many links can repeat one long address. The budget allows many repetitions, but not a flood.
		const room = { characters: 20_000 + 20 * src.length };
		const anchorOf = headingAnchors();
		for (const [at, block] of tokens.entries()) {
			plainAttributes(block);
			if (document && block.type === 'heading_open') {
				block.attrSet('data-anchor', anchorOf(tokens[at + 1]?.children ?? []));
			}
			if (block.type === 'inline' && block.children) {
				block.children = withSafeLinks(block.children, { image: words.image, base, room, document });
			}
		}
	});
	md.renderer.rules['fence'] = (tokens, at) => {
		const { content = '', info = '' } = tokens[at] ?? {};
		const language = /^[\w+#-]{1,32}/.exec(info.trim())?.[0].toLowerCase() ?? '';
		return `<pre tabindex="0"><code>${code.color(content, language) ?? escapeHtml(content)}</code></pre>\n`;
	};
	let isWarm = false;
	return {
		/**
		 * Prepares one slow part of the renderer for a text, so that each part gets its own time slice. False if nothing is left.
		 */
		warm(text: string) {
			if (isWarm) {
				const blocks =
					text.length > longestText ? [] : text.matchAll(/^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*([\w+#-]{1,32})/gm);
				return Array.from(blocks, ([, language = '']) => language.toLowerCase()).some(code.warm);
			}
			isWarm = true;
			md.render(ordinary, {});
			return true;
		},
		/** Safe HTML: no raw HTML, no pictures except a document's own, no ids, and only links that the policy allows. */
		render(text: string, context: MarkdownContext) {
			if (text.length > longestText) {
				return asWritten(text);
			}
			code.begin();
			let html: string;
			try {
				html = md.render(text, { [contextKey]: context });
			} catch (error) {
				if (error instanceof NestedTooDeep) {
					return asWritten(text);
				}
				throw error;
			}
			// Hidden characters appear raw or as character references.
			return unusual.test(text) || text.includes('&') ? pillsInHtml(html) : html;
		},
	};
}

/** A sample of common syntax. */
const ordinary = 'A **b** `c`, #1 and https://a.test/b or [d](e).\n\n> - [ ] f\n\n```\ng\n```';

function asWritten(text: string): string {
	return `<pre>${escapeHtml(visible(text))}</pre>`;
}

function contextIn(env: unknown): MarkdownContext | undefined {
	if (typeof env !== 'object' || env === null || !(contextKey in env)) {
		return undefined;
	}
	const context = env[contextKey];
	return isContext(context) ? context : undefined;
}

function isContext(value: unknown): value is MarkdownContext {
	return typeof value === 'object' && value !== null && 'base' in value && 'tracker' in value;
}

/**
 * A cell's alignment becomes a class, because pages allow no inline styles. A heading becomes an `h3` with a class for its
 * size, because the page owns the outline.
 */
function plainAttributes(block: Token): void {
	if (block.type === 'th_open' || block.type === 'td_open') {
		const [, side] = /text-align:(left|center|right)/.exec(String(block.attrGet('style') ?? '')) ?? [];
		block.attrs = side === undefined ? [] : [['class', `align-${side}`]];
	} else if (block.type === 'heading_open') {
		block.attrs = [['class', `heading-${block.tag.slice(1)}`]];
		block.tag = 'h3';
	} else if (block.type === 'heading_close') {
		block.tag = 'h3';
	}
}

/** Thrown while a text is read that nests its quotes and lists deeper than anybody can follow. */
class NestedTooDeep extends RangeError {
	override readonly name = 'NestedTooDeep';
}

/**
 * Bounds the cost of a text by its length. Quotes and lists in too many levels throw `NestedTooDeep`. All tables together
 * have at most one cell per character of the text; only padded rows could exceed it.
 */
function boundBlocks(md: MarkdownIt): void {
	const { block } = md;
	const tokenize = block.tokenize.bind(block);
	block.tokenize = (state, startLine, endLine) => {
		if (state.level > deepest) {
			throw new NestedTooDeep();
		}
		tokenize(state, startLine, endLine);
	};
	// Rows may be shorter than their table is wide, and are filled up: a few characters could make thousands of cells.
	const [table] = md.block.ruler.getRules('').filter(({ name }) => name.startsWith('table'));
	if (!table) {
		return;
	}
	let left = 0;
	md.core.ruler.before('block', 'cells_left', ({ src }) => {
		left = src.length;
	});
	const bounded: typeof table = (state, startLine, endLine, silent) => {
		if (silent || !table(state, startLine, endLine, true)) {
			return silent && table(state, startLine, endLine, true);
		}
		// At least the number of columns in the line below the head.
		const line = startLine + 1;
		const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
		const width = state.src.slice(start, state.eMarks[line]).split('|').length;
		const rows = Math.max(0, Math.floor(left / width));
		// As with the parser's own limit, the rest of a table becomes a paragraph below it.
		table(state, startLine, Math.min(endLine, startLine + 2 + rows), false);
		left -= width * (state.line - startLine - 2);
		return true;
	};
	md.block.ruler.at('table', bounded, { alt: ['paragraph', 'reference'] });
}

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
			const end = state.pos === at + 1 ? ends.get(at) : undefined;
			if (state.pos !== at + 1) {
				mayEnd = mayHoldLink;
			} else if (end === undefined) {
				open.push(at);
			} else {
				// The cached end of an inner bracket.
				mayEnd = end !== -1;
				state.pos = mayEnd ? end + 1 : state.pos;
			}
		}
	}
	// Brackets around an open bracket are open too.
	open.forEach((each) => ends.set(each, -1));
	state.pos = pos;
	return ends.get(start) ?? -1;
}

/** Leaves the texts of pictures unparsed: pages show them as written, and pictures nest in them. */
function leavePictureTexts({ inline }: MarkdownIt): void {
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

/**
 * Names of headings as forges make them of their words: lower case, hyphens for blanks, without any other sign, and
 * numbered where one comes again, until no earlier heading has the name. Create one for each document, and call it for every heading in order.
 */
function headingAnchors(): (heading: readonly Token[]) => string {
	/** The names there are, with the last number that was given for each. */
	const seen = new Map<string, number>();
	return (heading) => {
		const words = heading.map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''));
		const plain = words
			.join('')
			.trim()
			.slice(0, longestAnchor)
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(/\s/g, '-');
		let number = seen.get(plain) ?? 0;
		let anchor = plain;
		while (seen.has(anchor)) {
			number += 1;
			anchor = `${plain}-${number}`;
		}
		seen.set(plain, number);
		seen.set(anchor, seen.get(anchor) ?? 0);
		return anchor;
	};
}
