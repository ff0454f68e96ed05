import markdownIt, { type Token } from 'markdown-it';

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
