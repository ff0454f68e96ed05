import { minOf } from '@forge-desk/base/longArrays.ts';
import { safeLink, withoutSentenceEnd } from './linkPolicy.ts';
import { addressOfReference, referencesIn, type ReferenceAddresses } from './references.ts';
import { visibleText } from './visible.ts';

/** A run of plain text, or a link in it. Hidden characters are written out. */
export type LinkedPiece =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'link'; readonly text: string; readonly href: string };

/** Context of a plain text. */
export interface LinkedTextPlace {
	/** Addresses of references. */
	readonly web: ReferenceAddresses;
}

/** Maximum links of a text, against floods. Further ones stay text. */
const mostLinks = 1000;
/** Links are not looked for in longer texts. */
const longestText = 250_000;
const longestAddress = 2000;

/** All links of plain text are absolute. */
const anyBase = 'https://forge.invalid/';

/** As in Markdown: no letter of a scheme comes before an address, and punctuation beyond ASCII ends it. */
const address = new RegExp(
	`(?<![a-z0-9+])https?://(?:[^\\s<>"\`\\p{P}]|[!#-/:;=?@[-_{-~]){1,${longestAddress}}`,
	'giu',
);

/** `mailto:` with an address, or the address of a list (docs/protocol.md#list-addresses). A bare address is text. */
const mail =
	/(?<![\p{L}\p{N}_.+~/@:-])(?:mailto:(?:~[a-z_][\w-]{0,254}\/)?|~[a-z_][\w-]{0,254}\/)[\w.+-]{1,255}@[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9])?(?![\w.-]*@|\w)/giu;

const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Plain text with its links: addresses that the link policy allows, `mailto:` and addresses of lists, tickets that are named in full (`~owner/tracker#12`)
 * and people (`~alice`). A bare `#12` is no link, for nothing says whose ticket it is. Time grows with the text.
 */
export function linkedText(text: string, { web }: LinkedTextPlace): readonly LinkedPiece[] {
	if (text.length > longestText || !/https?:|mailto:|#|~/i.test(text)) {
		return text === '' ? [] : [{ kind: 'text', text: visibleText(text) }];
	}
	const pieces: LinkedPiece[] = [];
	let from = 0;
	for (const { start, end, href } of linksIn(text, web)) {
		if (start < from) {
			continue;
		}
		if (start > from) {
			pieces.push({ kind: 'text', text: visibleText(text.slice(from, start)) });
		}
		pieces.push({ kind: 'link', text: visibleText(text.slice(start, end)), href });
		from = end;
	}
	if (from < text.length) {
		pieces.push({ kind: 'text', text: visibleText(text.slice(from)) });
	}
	return pieces;
}

function hasTooManySigns(text: string): boolean {
	let signs = 0;
	for (const sign of ['#', '~']) {
		for (let at = text.indexOf(sign); at !== -1 && signs <= mostLinks; at = text.indexOf(sign, at + 1)) {
			signs += 1;
		}
	}
	return signs > mostLinks;
}

interface FoundLink {
	readonly start: number;
	readonly end: number;
	readonly href: string;
}

/** In their order; of two that overlap the address comes first. */
function linksIn(text: string, web: ReferenceAddresses): readonly FoundLink[] {
	const addresses: FoundLink[] = [];
	for (const match of text.matchAll(address)) {
		const [written] = match;
		const plain = withoutSentence(written);
		const link = written.length >= longestAddress ? undefined : safeLink(plain, anyBase);
		if (link?.kind === 'web') {
			addresses.push({ start: match.index, end: match.index + plain.length, href: link.href });
		}
		if (addresses.length >= mostLinks) {
			break;
		}
	}
	for (const { 0: written, index } of text.matchAll(mail)) {
		const link = safeLink(written.replace(/^~/, 'mailto:~'), anyBase);
		if (link && addresses.length < 2 * mostLinks) {
			addresses.push({ start: index, end: index + written.length, href: link.href });
		}
	}
	const named = (hasTooManySigns(text) ? [] : referencesIn(text, [])).flatMap((found): readonly FoundLink[] => {
		if (!('written' in found)) {
			return [];
		}
		const { start, end, written } = found;
		const { owner, name } = written.kind === 'user' ? { owner: written.owner, name: '' } : written;
		const href =
			owner === undefined || name === undefined ? undefined : addressOfReference(written, { owner, name }, web);
		return href === undefined ? [] : [{ start, end, href }];
	});
	return [...addresses, ...named].sort((a, b) => a.start - b.start || b.end - a.end).slice(0, mostLinks);
}

/** Without the signs of the sentence around it. Brackets belong to an address in pairs. */
function withoutSentence(written: string): string {
	const open: number[] = [];
	let end = written.length;
	for (const { index, 0: sign } of written.matchAll(/[()[\]{}]/g)) {
		const opening = brackets[sign];
		if (opening === undefined) {
			open.push(index);
		} else if (written[open.pop() ?? -1] !== opening) {
			end = index;
			break;
		}
	}
	end = minOf([end, ...open.slice(0, 1)]);
	return withoutSentenceEnd(written.slice(0, end));
}
