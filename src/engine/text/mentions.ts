import markdownIt from 'markdown-it';
import type { Token, MarkdownIt } from 'markdown-it';
import { addressOfReference, referencesIn, type ReferenceAddresses } from './references.ts';

const ParserToken = markdownIt.Token;

export function textToken(content: string): Token {
	const token = new ParserToken('text', '', 0);
	token.content = content;
	return token;
}

export function taskBoxToken(isDone: boolean): Token {
	const token = new ParserToken('task_box', 'span', 0);
	token.info = isDone ? 'done' : 'open';
	return token;
}

/** Start of a link that the policy allows. */
export function safeLinkToken(href: string): Token {
	const token = new ParserToken('link_open', 'a', 1);
	token.attrs = [['href', href]];
	token.meta = isSafe;
	return token;
}

export function linkEndToken(): Token {
	return new ParserToken('link_close', 'a', -1);
}

/** True for links from `safeLinkToken`. They use no link budget. */
export function isSafeLinkToken({ meta }: Token): boolean {
	return meta === isSafe;
}

const isSafe: Record<string, unknown> = { isSafe: true };

/** Context of a text: `#12` is a ticket of this tracker, `beta#12` a ticket of its owner's tracker `beta`. */
export interface MentionContext {
	/** Web address of the text's source, such as a ticket. */
	readonly base: string;
	/** Addresses of mentions. */
	readonly web: ReferenceAddresses;
	/** An empty name means no tracker: `#12` then stays plain text. */
	readonly tracker: { readonly owner: string; readonly name: string };
}

/** Links mentions of people and tickets, in the grammar of references. */
export function mentions(md: MarkdownIt, contextOf: (env: unknown) => MentionContext | undefined): void {
	md.core.ruler.after('linkify', 'mentions', (state) => {
		const context = contextOf(state.env);
		if (!context) {
			return;
		}
		for (const block of state.tokens) {
			if (block.type === 'inline' && block.children && nextSign(block.content, 0) !== -1) {
				block.children = withMentions(block.children, context);
			}
		}
	});
}

function withMentions(tokens: readonly Token[], place: MentionContext): Token[] {
	const all: Token[] = [];
	let depth = 0;
	for (const token of tokens) {
		depth += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
		if (token.type === 'text' && depth === 0 && nextSign(token.content, 0) !== -1) {
			pushSplit(all, token, place);
		} else {
			all.push(token);
		}
	}
	return all;
}

function pushSplit(all: Token[], token: Token, { web, tracker }: MentionContext): void {
	const text = token.content;
	let from = 0;
	for (let sign = nextSign(text, 0); sign !== -1; sign = nextSign(text, sign)) {
		// A reference never crosses a blank, and most words contain none.
		let start = sign;
		while (start > 0 && !isBlank(text.charCodeAt(start - 1))) {
			start -= 1;
		}
		let end = sign;
		while (end < text.length && !isBlank(text.charCodeAt(end))) {
			end += 1;
		}
		for (const found of referencesIn(text.slice(start, end), []).filter((each) => 'written' in each)) {
			const { written } = found;
			const named =
				written.kind === 'user'
					? tracker
					: { owner: written.owner ?? tracker.owner, name: written.name ?? tracker.name };
			const isNowhere = written.kind === 'ticket' && named.name === '';
			const address = isNowhere ? undefined : addressOfReference(written, named, web);
			if (address === undefined) {
				continue;
			}
			if (start + found.start > from) {
				all.push(textToken(text.slice(from, start + found.start)));
			}
			from = start + found.end;
			const words = text.slice(start + found.start, from);
			all.push(safeLinkToken(address), textToken(words), linkEndToken());
		}
		sign = end;
	}
	if (from === 0) {
		all.push(token);
	} else if (from < text.length) {
		all.push(textToken(text.slice(from)));
	}
}

/** Index of the next `#` or `~`, or -1. Every mention contains one. */
function nextSign(text: string, from: number): number {
	const number = text.indexOf('#', from);
	const person = text.indexOf('~', from);
	return number === -1 || (person !== -1 && person < number) ? person : number;
}

/** Common blanks only. A rare one just makes the word longer. */
function isBlank(code: number): boolean {
	return code === 0x20 || code === 0x0a || code === 0x09;
}
