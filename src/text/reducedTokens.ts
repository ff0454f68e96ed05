import markdownIt, { type MarkdownIt, type Token } from 'markdown-it';

const theirs = markdownIt.StateInline.prototype;

type Nesting = Token['nesting'];
type Attributes = NonNullable<Token['attrs']>;

/**
 * A token as the parser's own. Theirs is built for old browsers too and defines its fields one by one through a helper,
 * which takes a quarter of all the time of rendering; this one is a plain class.
 */
class ReducedToken implements Token {
	type: string;
	tag: string;
	nesting: Nesting;
	attrs: Attributes | null = null;
	map: [number, number] | null = null;
	level = 0;
	children: Token[] | null = null;
	content = '';
	markup = '';
	info = '';
	meta: Record<string, unknown> | null = null;
	block = false;
	hidden = false;

	constructor(type: string, tag: string, nesting: Nesting) {
		this.type = type;
		this.tag = tag;
		this.nesting = nesting;
	}

	attrIndex(name: string): number {
		return this.attrs?.findIndex(([known]) => known === name) ?? -1;
	}

	attrPush(attribute: Attributes[number]): void {
		(this.attrs ??= []).push(attribute);
	}

	attrSet(name: string, value: string | number): void {
		const known = this.attrs?.find(([each]) => each === name);
		if (known) {
			known[1] = value;
		} else {
			this.attrPush([name, value]);
		}
	}

	attrGet(name: string): string | number | null {
		return this.attrs?.find(([known]) => known === name)?.[1] ?? null;
	}

	attrJoin(name: string, value: string): void {
		const known = this.attrGet(name);
		this.attrSet(name, known === null ? value : `${known} ${value}`);
	}
}

type Base = InstanceType<typeof markdownIt.StateInline>;

/** The parser's state of one line, made as quickly as its tokens; what it does is what theirs does. */
class ReducedInline implements Base {
	src: string;
	env: Base['env'];
	md: MarkdownIt;
	tokens: Token[];
	tokens_meta: Base['tokens_meta'];
	pos = 0;
	posMax: number;
	level = 0;
	pending = '';
	pendingLevel = 0;
	cache: Record<number, number> = {};
	backticks: Record<number, number> = {};
	backticksScanned = false;
	skipHtmlSpecial = false;
	linkLevel = 0;
	delimiters: Base['delimiters'] = [];
	_prev_delimiters: Base['_prev_delimiters'] = [];
	Token = ReducedToken;

	constructor(src: string, md: MarkdownIt, env: Base['env'], outTokens: Token[]) {
		this.src = src;
		this.env = env;
		this.md = md;
		this.tokens = outTokens;
		this.tokens_meta = Array.from({ length: outTokens.length });
		this.posMax = src.length;
	}

	scanDelims(start: number, canSplitWord: boolean): ReturnType<Base['scanDelims']> {
		return theirs.scanDelims.call(this, start, canSplitWord);
	}

	pushPending(): Token {
		const token = new ReducedToken('text', '', 0);
		token.content = this.pending;
		token.level = this.pendingLevel;
		this.tokens.push(token);
		this.pending = '';
		return token;
	}

	push(type: string, tag: string, nesting: Nesting): Token {
		if (this.pending !== '') {
			this.pushPending();
		}
		const token = new ReducedToken(type, tag, nesting);
		if (nesting < 0) {
			this.level -= 1;
			this.delimiters = this._prev_delimiters.pop() ?? [];
		}
		token.level = this.level;
		if (nesting > 0) {
			this.level += 1;
			this._prev_delimiters.push(this.delimiters);
			this.delimiters = [];
			this.tokens_meta.push({ delimiters: this.delimiters });
		} else {
			this.tokens_meta.push(undefined);
		}
		this.pendingLevel = this.level;
		this.tokens.push(token);
		return token;
	}
}

/** The parser's state of a whole text. Theirs looks at every character to find the lines, this one only at their starts. */
class ReducedBlock extends markdownIt.StateBlock {
	constructor(src: string, md: MarkdownIt, env: Base['env'], tokens: Token[]) {
		super('', md, env, tokens);
		this.src = src;
		// What is there is the end of an empty text.
		for (const marks of [this.bMarks, this.eMarks, this.tShift, this.sCount, this.bsCount]) {
			marks.length = 0;
		}
		let start = 0;
		while (start < src.length) {
			const lineBreak = src.indexOf('\n', start);
			this.#addLine(start, lineBreak);
			start = lineBreak === -1 ? src.length : lineBreak + 1;
		}
		this.#mark(src.length, src.length, 0, 0);
		this.lineMax = this.bMarks.length - 1;
	}

	#addLine(start: number, lineBreak: number): void {
		const end = lineBreak === -1 ? this.src.length : lineBreak;
		let at = start;
		let column = 0;
		for (; at < end && isBlank(this.src.charCodeAt(at)); at++) {
			column += this.src.charCodeAt(at) === tab ? 4 - (column % 4) : 1;
		}
		// Blanks behind the last break are no line.
		if (at < end || lineBreak !== -1) {
			this.#mark(start, end, at - start, column);
		}
	}

	#mark(start: number, end: number, indent: number, column: number): void {
		this.bMarks.push(start);
		this.eMarks.push(end);
		this.tShift.push(indent);
		this.sCount.push(column);
		this.bsCount.push(0);
	}

	override push(type: string, tag: string, nesting: Nesting): Token {
		const token = new ReducedToken(type, tag, nesting);
		token.block = true;
		this.level += nesting < 0 ? -1 : 0;
		token.level = this.level;
		this.level += nesting > 0 ? 1 : 0;
		this.tokens.push(token);
		return token;
	}
}

const tab = 0x09;

function isBlank(code: number): boolean {
	return code === tab || code === 0x20;
}

/** Lets a parser make lean tokens and states. The text that comes out is the same. */
export function useReducedTokens(md: MarkdownIt): void {
	md.inline.State = ReducedInline;
	md.block.State = ReducedBlock;
}

/** Words as a token. */
export function textToken(content: string): Token {
	const token = new ReducedToken('text', '', 0);
	token.content = content;
	return token;
}

/** The box of a task. */
export function taskBoxToken(isDone: boolean): Token {
	const token = new ReducedToken('task_box', 'span', 0);
	token.info = isDone ? 'done' : 'open';
	return token;
}

/** The start of a link to an address that the link policy has allowed. */
export function safeLinkToken(href: string): Token {
	const token = new ReducedToken('link_open', 'a', 1);
	token.attrs = [['href', href]];
	token.meta = isSafe;
	return token;
}

/** The end of a link. */
export function linkEndToken(): Token {
	return new ReducedToken('link_close', 'a', -1);
}

/** True for links that `safeLinkToken` made: they need no second look. */
export function isSafeLinkToken({ meta }: Token): boolean {
	return meta === isSafe;
}

const isSafe: Record<string, unknown> = { isSafe: true };
