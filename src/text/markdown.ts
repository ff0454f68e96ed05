import { tasklist } from '@mdit/plugin-tasklist';
import markdownIt, { type StateCore, type Token } from 'markdown-it';
import { escapeHtml } from '../base/escapeHtml.ts';
import { highlighter } from './highlighting.ts';
import { useLeanTokens } from './leanTokens.ts';
import { safeLink } from './linkPolicy.ts';
import { mentions } from './mentions.ts';
import { plainAddresses, useQuickLinks } from './quickLinks.ts';
import { withSafeLinks, type LinkWays } from './safeLinks.ts';
import { pillsInHtml, unusual, visible } from './visible.ts';

/** Words that appear in rendered text without being written there. */
export interface MarkdownWords {
	/** Instead of a picture without a text of its own. */
	readonly image: string;
	readonly taskDone: string;
	readonly taskOpen: string;
}

/** Where a text stands. */
export interface MarkdownContext {
	/** Web address of the ticket: links are relative to it, paths to its origin. */
	readonly base: string;
	readonly tracker: { readonly owner: string; readonly name: string };
}

/** Renders Markdown of strangers. */
export interface MarkdownRenderer {
	/** Safe HTML: no raw HTML, no pictures, no ids, and only links that the link policy allows. */
	render(text: string, context: MarkdownContext): string;
}

/** Texts beyond this are shown as they were written. The forge's own limit is a sixth of it. */
const longestText = 100_000;

/** Only for checking links while parsing, when the real base is not at hand; it decides nothing but the origin. */
const anyBase = 'https://forge.invalid/';

const contextKey = 'forgeDeskContext';

/** Made once and used for every text. */
export function markdownRenderer(words: MarkdownWords): MarkdownRenderer {
	const md = markdownIt({ html: false, linkify: true, typographer: false });
	const highlight = highlighter();
	const isPlain = plainAddresses();
	md.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });
	// oxlint-disable-next-line typescript/no-unsafe-argument -- the plugin names a type that markdown-it no longer exports
	md.use(tasklist, { label: false });
	md.validateLink = (href) => isPlain(href) || safeLink(href, anyBase) !== undefined;
	useLeanTokens(md);
	useQuickLinks(md, isPlain);
	mentions(md, contextIn);
	md.core.ruler.push('pictures_and_links', (state) => tidy(state, { image: words.image, isPlain }));
	md.renderer.rules['checkbox_input'] = (tokens, at) => checkbox(tokens[at], words);
	md.renderer.rules['fence'] = (tokens, at) => codeBlock(tokens[at], highlight);
	return {
		render(text, context) {
			if (text.length > longestText) {
				return `<pre>${escapeHtml(visible(text))}</pre>`;
			}
			const html = md.render(text, { [contextKey]: context });
			// A hidden character is written as it is or as a character reference.
			return unusual.test(text) || text.includes('&') ? pillsInHtml(html) : html;
		},
	};
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
function tidy(state: StateCore, ways: Omit<LinkWays, 'base'>): void {
	const base = contextIn(state.env)?.base ?? anyBase;
	for (const block of state.tokens) {
		plainAttributes(block);
		if (block.type === 'inline' && block.children) {
			block.children = withSafeLinks(block.children, { ...ways, base });
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

/** The box is a picture with a word, not a control: it cannot be ticked here. */
function checkbox(token: Token | undefined, words: MarkdownWords): string {
	const isDone = token?.attrGet('checked') !== null;
	const word = escapeHtml(isDone ? words.taskDone : words.taskOpen);
	return `<span class="task-box${isDone ? ' done' : ''}" role="img" aria-label="${word}"></span>`;
}

function codeBlock(
	token: Token | undefined,
	highlight: (code: string, language: string) => string | undefined,
): string {
	const code = token?.content ?? '';
	const language = /^[\w+#-]{1,32}/.exec(token?.info.trim() ?? '')?.[0].toLowerCase() ?? '';
	return `<pre tabindex="0"><code>${highlight(code, language) ?? escapeHtml(code)}</code></pre>\n`;
}
