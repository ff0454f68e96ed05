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

/** Renders untrusted Markdown. */
export interface MarkdownRenderer {
	/** Safe HTML: no raw HTML, no pictures except a document's own, no ids, and only links that the policy allows. */
	render(text: string, context: MarkdownContext): string;
	/**
	 * Prepares one slow part of the renderer for a text, so that each part gets its own time slice. False if nothing is left.
	 */
	warm(text: string): boolean;
}

/** Longer texts appear as written. The forge's own limit is a sixth of it. */
const longestText = 100_000;

/** Placeholder base for link checks while parsing. It only decides the origin. */
const anyBase = 'https://forge.invalid/';

const contextKey = 'forgeDeskContext';

/** Create it once and use it for every text. */
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
			// Hidden characters appear raw or as character references.
			return unusual.test(text) || text.includes('&') ? pillsInHtml(html) : html;
		},
	};
}

/** A sample of common syntax. */
const ordinary = 'A **b** `c`, #1 and https://a.test/b or [d](e).\n\n> - [ ] f\n\n```\ng\n```';

/** Languages that the code blocks name. */
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

/** Turns pictures into links, drops titles, and resolves or drops every link. */
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

function codeBlock(token: Token | undefined, { color }: Highlighter): string {
	const code = token?.content ?? '';
	const language = /^[\w+#-]{1,32}/.exec(token?.info.trim() ?? '')?.[0].toLowerCase() ?? '';
	return `<pre tabindex="0"><code>${color(code, language) ?? escapeHtml(code)}</code></pre>\n`;
}
