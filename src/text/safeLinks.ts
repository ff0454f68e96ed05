import type { Token } from 'markdown-it';
import { isSafeLinkToken, linkEndToken, safeLinkToken, textToken } from './tokens.ts';
import { safeLink } from './linkPolicy.ts';
import { visible } from './visible.ts';

/** How many characters the addresses of one text's links may have. */
export interface LinkRoom {
	characters: number;
}

/** One address may be named by many links, and would be written out at each: there is room for many, but not for all. */
export function linkRoom(text: string): LinkRoom {
	return { characters: 20_000 + 20 * text.length };
}

/** How links are looked at. */
export interface LinkWays {
	/** What relative links are relative to. */
	readonly base: string;
	/** Instead of a picture without a text of its own. */
	readonly image: string;
	/** What the text's links may still take; a link for which it is too small is none. */
	readonly room: LinkRoom;
	/** For a text that is a document of its own. */
	readonly document: DocumentWays | undefined;
}

/** A document of its own has pictures beside it, and places that links in it lead to. */
export interface DocumentWays {
	/**
	 * The picture at an address, as `data:` address. Asked once for each place where it stands, in their order; where there
	 * is none, a link stands instead.
	 */
	readonly picture: (address: string) => string | undefined;
}

/** What comes of the parts of a line: only links that the policy allows are left, and pictures are links. */
export function withSafeLinks(tokens: Token[], ways: LinkWays): Token[] {
	if (!tokens.some(({ type }) => type === 'link_open' || type === 'image')) {
		return tokens;
	}
	const kept: Token[] = [];
	/** Of the links that the current part stands in, whether they are kept. */
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
		// Within a document such a link leads to another place of it, not to its address; with no name, to its beginning.
		return allowed && `#${URL.parse(allowed)?.hash.slice(1) ?? ''}`;
	}
	return allowed;
}

/** A link inside a link is none, so a linked picture becomes the link's text, unless it can be shown. */
function pictureLink(picture: Token, isInLink: boolean, ways: LinkWays): readonly Token[] {
	const text = textToken(picture.content.trim() === '' ? ways.image : picture.content);
	const shown = ways.document && pictureAt(String(picture.attrGet('src') ?? ''), ways.document, ways.base);
	if (shown !== undefined) {
		picture.attrs = [
			['src', shown],
			['alt', ''],
		];
		// It becomes an attribute, in which there is no place for pills.
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
