import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { isPlainAddress, plainAddressAt } from './linkPolicy.ts';

/**
 * How many characters of one text are read as addresses that are not plain. One that is refused in the end is followed by
 * a look for another inside of it, so a word that is made of addresses could be read from each of them on.
 */
const furthest = 300_000;

/** Tells plain addresses; the parser asks several times in a row about the same one. */
export function plainAddresses(): (href: string) => boolean {
	let last: string | undefined;
	return (href) => {
		if (href === last) {
			return true;
		}
		const isPlain = isPlainAddress(href);
		last = isPlain ? href : last;
		return isPlain;
	};
}

/**
 * Takes the short way with links that are plain addresses, which nearly all are: nothing in them has to be encoded,
 * decoded or guessed. All others go the parser's own way. The text that comes out is the same.
 */
export function useQuickLinks(md: MarkdownIt, isPlain: (href: string) => boolean): void {
	const { linkify } = md;
	const normalizeLink = md.normalizeLink.bind(md);
	const normalizeLinkText = md.normalizeLinkText.bind(md);
	const matchAtStart = linkify.matchAtStart.bind(linkify);
	md.normalizeLink = (url) => (isPlain(url) ? url : normalizeLink(url));
	md.normalizeLinkText = (url) => (isPlain(url) ? url : normalizeLinkText(url));
	let left = 0;
	md.core.ruler.before('normalize', 'reach_left', () => {
		left = furthest;
	});
	linkify.matchAtStart = (text) => {
		const url = plainAddressAt(text);
		if (url !== undefined) {
			return { schema: 'https:', index: 0, lastIndex: url.length, raw: url, text: url, url };
		}
		const found = left > 0 ? matchAtStart(text) : null;
		left -= found?.lastIndex ?? 0;
		return found;
	};
	ignoreInnerSlashes(md);
	const [links] = md.core.ruler.getRules('').filter(({ name }) => name.startsWith('linkify'));
	if (links) {
		md.core.ruler.at('linkify', (state) => {
			if (mayHoldMoreLinks(state)) {
				links(state);
			}
		});
	}
}

/** Two slashes behind a colon or a slash are no address, which the parser would only see after reading it to its end. */
function ignoreInnerSlashes({ linkify }: MarkdownIt): void {
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

/** Addresses were found while the text was parsed; what is left for the second look are mail addresses and oddities. */
function mayHoldMoreLinks({ tokens }: StateCore): boolean {
	for (const { type, children, content } of tokens) {
		if (type === 'inline' && (content.includes('@') || (content.includes('//') && isOutsideLinks('//', children)))) {
			return true;
		}
	}
	return false;
}

function isOutsideLinks(text: string, children: readonly Token[] | null): boolean {
	let isAfterOpening = false;
	for (const { type, content } of children ?? []) {
		if (type === 'text' && !isAfterOpening && content.includes(text)) {
			return true;
		}
		isAfterOpening = type === 'link_open';
	}
	return false;
}
