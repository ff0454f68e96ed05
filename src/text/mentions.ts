import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { ticketPath, userPath } from './forgeAddress.ts';

/** `~user/tracker#12`, `~user` and `#12`, not inside a word, a path or an address. */
const mention =
	/(?<![\w/~&#@.-])(?:(?<owner>~[a-z_][a-z0-9_-]{0,63})(?:\/(?<tracker>[a-z0-9._-]{1,255})#(?<there>[1-9]\d{0,8}))?|#(?<here>[1-9]\d{0,8}))(?![\w/#-]|~)/gi;

/** Where the text stands: `#12` means a ticket of this tracker. */
export interface MentionContext {
	readonly tracker: { readonly owner: string; readonly name: string };
}

/** Makes links of mentions of people and tickets. Links lead to paths below the ticket area. */
export function mentions(md: MarkdownIt, contextOf: (env: unknown) => MentionContext | undefined): void {
	md.core.ruler.after('linkify', 'mentions', (state) => {
		const context = contextOf(state.env);
		if (!context) {
			return;
		}
		for (const block of state.tokens) {
			if (block.type === 'inline' && block.children && mayMention(block.content)) {
				block.children = withMentions(state, block.children, context);
			}
		}
	});
}

function mayMention(text: string): boolean {
	return text.includes('~') || text.includes('#');
}

function withMentions(state: StateCore, tokens: readonly Token[], context: MentionContext): Token[] {
	let depth = 0;
	return tokens.flatMap((token) => {
		depth += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
		return token.type === 'text' && depth === 0 ? split(state, token, context) : [token];
	});
}

function split(state: StateCore, token: Token, context: MentionContext): Token[] {
	const pieces: Token[] = [];
	let from = 0;
	for (const found of token.content.matchAll(mention)) {
		pieces.push(textToken(state, token.content.slice(from, found.index)), ...link(state, found, context));
		from = found.index + found[0].length;
	}
	return from === 0 ? [token] : [...pieces, textToken(state, token.content.slice(from))];
}

function link(state: StateCore, found: RegExpExecArray, { tracker }: MentionContext): Token[] {
	const { owner, tracker: name, there, here } = found.groups ?? {};
	const open = new state.Token('link_open', 'a', 1);
	open.attrSet('href', pathOf({ owner, name, id: there ?? here }, tracker));
	return [open, textToken(state, found[0]), new state.Token('link_close', 'a', -1)];
}

function pathOf(
	{ owner, name, id }: Readonly<Record<'owner' | 'name' | 'id', string | undefined>>,
	tracker: MentionContext['tracker'],
): string {
	if (owner !== undefined && name !== undefined) {
		return ticketPath({ owner, name }, Number(id));
	}
	return owner === undefined ? ticketPath(tracker, Number(id)) : userPath(owner);
}

function textToken(state: StateCore, content: string): Token {
	const token = new state.Token('text', '', 0);
	token.content = content;
	return token;
}
