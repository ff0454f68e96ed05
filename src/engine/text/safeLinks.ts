import type { Token } from 'markdown-it';
import { isSafeLinkToken, linkEndToken, safeLinkToken, textToken } from './tokens.ts';
import { safeLink } from './linkPolicy.ts';
import { visible } from './visible.ts';

/** Character budget for the link addresses of one text. */
export interface LinkRoom {
	characters: number;
}

/** Many links can repeat one long address. The budget allows many repetitions, but not a flood. */
export function linkRoom(text: string): LinkRoom {
	return { characters: 20_000 + 20 * text.length };
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
export function withSafeLinks(tokens: Token[], ways: LinkWays): Token[] {
	if (!tokens.some(({ type }) => type === 'link_open' || type === 'image')) {
		return tokens;
	}
	const kept: Token[] = [];
	/** For each open link: true if kept. */
	const open: boolean[] = [];
	for (const token of tokens) {
		if (token.type === 'image') {
			kept.push(...pictureLink(token, open.length > 0, ways));
			continue;
		}
		if (token.type === 'link_open') {
			open.push(isSafeLinkToken(token) || allow(token, ways));
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

function allow(token: Token, ways: LinkWays): boolean {
	const allowed = allowedHref(String(token.attrGet('href') ?? ''), ways);
	token.attrs = allowed === undefined ? [] : [['href', allowed]];
	return allowed !== undefined;
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
	const shown = ways.document && pictureAt(String(picture.attrGet('src') ?? ''), ways.document, ways.base);
	if (shown !== undefined) {
		picture.attrs = [
			['src', shown],
			['alt', ''],
		];
		// It becomes an attribute, and an attribute cannot contain pills.
		picture.children = [textToken(visible(text.content))];
		return [picture];
	}
	const href = isInLink ? undefined : allowedHref(String(picture.attrGet('src') ?? ''), ways);
	return href === undefined ? [text] : [safeLinkToken(href), text, linkEndToken()];
}

function pictureAt(src: string, { picture }: DocumentWays, base: string): string | undefined {
	const address = safeLink(src, base)?.href;
	return address === undefined ? undefined : picture(address);
}
