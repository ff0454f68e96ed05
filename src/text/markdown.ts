import markdownIt, { type MarkdownIt, type StateCore, type Token } from 'markdown-it';
import { escapeHtml } from '../base/escapeHtml.ts';
import { boundBlocks, NestedTooDeep } from './boundedBlocks.ts';
import { highlighter, type Highlighter } from './highlighting.ts';
import { safeLink } from './linkPolicy.ts';
import { mentions, type MentionContext } from './mentions.ts';
import { boundLabels, boundLinks, leavePictureTexts } from './boundedInline.ts';
import { headingAnchors } from './headingAnchors.ts';
import { linkRoom, withSafeLinks, type DocumentWays, type LinkWays } from './safeLinks.ts';
import { taskLists, type TaskWords } from './taskLists.ts';
import { pillsInHtml, unusual, visible } from './visible.ts';

/** Words that appear in rendered text without being written there. */
export interface MarkdownWords extends TaskWords {
	/** Instead of a picture without a text of its own. */
	readonly image: string;
}

/** Where a text stands: links are relative to `base`, and paths to its origin. */
export interface MarkdownContext extends MentionContext {
	/**
	 * For a text that is a document of its own, such as a README: its pictures are shown, its headings bear the name that
	 * links lead to as `data-anchor`, and such a link keeps the form `#name`.
	 */
	readonly document?: DocumentWays;
}

/** Renders Markdown of strangers. */
export interface MarkdownRenderer {
	/** Safe HTML: no raw HTML, no pictures but a document's own, no ids, and only links that the link policy allows. */
	render(text: string, context: MarkdownContext): string;
	/**
	 * Makes one thing ready that a text needs and that takes long the first time, so that it can have a turn of its own.
	 * False when nothing is left to be made ready.
	 */
	warm(text: string): boolean;
}

/** Texts beyond this are shown as they were written. The forge's own limit is a sixth of it. */
const longestText = 100_000;

/** Only for checking links while parsing, when the real base is not at hand; it decides nothing but the origin. */
const anyBase = 'https://forge.invalid/';

const contextKey = 'forgeDeskContext';

/** Made once and used for every text. */
export function markdownRenderer(words: MarkdownWords): MarkdownRenderer {
	const md = markdownIt({ html: false, linkify: true, typographer: false });
	const code = highlighter();
	md.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });
	md.validateLink = (href) => safeLink(href, anyBase) !== undefined;
	boundLinks(md);
	boundLabels(md);
	leavePictureTexts(md);
	boundBlocks(md);
	taskLists(md, words);
	mentions(md, contextIn);
	md.core.ruler.push('pictures_and_links', (state) => tidy(state, { image: words.image }));
	md.renderer.rules['fence'] = (tokens, at) => codeBlock(tokens[at], code);
	let isWarm = false;
	return {
		warm(text) {
			if (isWarm) {
				return languagesIn(text).some(code.warm);
			}
			isWarm = true;
			md.render(ordinary, {});
			return true;
		},
		render(text, context) {
			if (text.length > longestText) {
				return asWritten(text);
			}
			code.begin();
			const html = formatted(md, text, context);
			// A hidden character is written as it is or as a character reference.
			return unusual.test(text) || text.includes('&') ? pillsInHtml(html) : html;
		},
	};
}

/** Something of all that texts usually hold. */
const ordinary = 'A **b** `c`, #1 and https://a.test/b or [d](e).\n\n> - [ ] f\n\n```\ng\n```';

/** The languages that blocks of code are said to be in. */
function languagesIn(text: string): readonly string[] {
	const blocks =
		text.length > longestText ? [] : text.matchAll(/^[ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*([\w+#-]{1,32})/gm);
	return Array.from(blocks, ([, language = '']) => language.toLowerCase());
}

function asWritten(text: string): string {
	return `<pre>${escapeHtml(visible(text))}</pre>`;
}

function formatted(md: MarkdownIt, text: string, context: MarkdownContext): string {
	try {
		return md.render(text, { [contextKey]: context });
	} catch (error) {
		if (error instanceof NestedTooDeep) {
			return asWritten(text);
		}
		throw error;
	}
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

/** Pictures become links, titles go, and every link is resolved against the real base or dropped. */
function tidy(state: StateCore, ways: Omit<LinkWays, 'base' | 'room' | 'document'>): void {
	const { base = anyBase, document } = contextIn(state.env) ?? {};
	const room = linkRoom(state.src);
	const anchorOf = headingAnchors();
	for (const [at, block] of state.tokens.entries()) {
		plainAttributes(block);
		if (document && block.type === 'heading_open') {
			block.attrSet('data-anchor', anchorOf(state.tokens[at + 1]?.children ?? []));
		}
		if (block.type === 'inline' && block.children) {
			block.children = withSafeLinks(block.children, { ...ways, base, room, document });
		}
	}
}

/**
 * A cell's alignment becomes a class, because pages allow no inline styles. A heading becomes one of the third level
 * that only looks its size, because the page's outline is not the writer's to disturb.
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

function codeBlock(token: Token | undefined, { color }: Highlighter): string {
	const code = token?.content ?? '';
	const language = /^[\w+#-]{1,32}/.exec(token?.info.trim() ?? '')?.[0].toLowerCase() ?? '';
	return `<pre tabindex="0"><code>${color(code, language) ?? escapeHtml(code)}</code></pre>\n`;
}
