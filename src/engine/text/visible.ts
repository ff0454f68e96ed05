import { scripts } from './scripts.ts';

/*
 * The editor's regular expressions lack the Unicode properties behind the next three lists. A test derives the lists from
 * Unicode's data.
 */

/** Scripts with cursive letters or a virama (Joining_Type, Canonical_Combining_Class 9): joiners are normal in their words. */
const joining = of(scripts.joining);
/** Scripts without blanks between words (Line_Break=SA). U+200B marks the ends of words. */
const unspaced = of(scripts.unspaced);
/** Scripts with letters of Bidi_Class R or AL. Direction marks beside them are normal. */
const rightToLeft = of(scripts.rightToLeft);
/** Scripts with visible format controls, such as number signs. */
const formatted = of('Arabic Syriac Kaithi Egyptian_Hieroglyphs');

/** A letter, mark, number or punctuation of these scripts. */
function of(names: string): string {
	return `(?=[\\p{L}\\p{M}\\p{N}\\p{P}])[${names.replaceAll(/\w+ ?/g, (script) => `\\p{Script_Extensions=${script.trim()}}`)}]`;
}

const tags = (text: string): string =>
	Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
/** The three subdivision flags that Unicode recommends. Other tags could spell anything. */
const flag = `\\u{1F3F4}(?=${tags('gb')}(?:${['eng', 'sct', 'wls'].map(tags).join('|')})\\u{E007F})`;

/** Signs between a direction mark and its script. */
const between = '[\\p{P}\\p{S}\\p{Zs}\\p{Nd}]{0,3}';

/** Invisible characters in normal spelling. Each pattern ends with the character. */
const ordinary = [
	`${joining}[\\u200C\\u200D]`,
	'[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?\\u200D(?=\\p{Extended_Pictographic})',
	'\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]',
	'[0-9#*]\\uFE0F(?=\\u20E3)',
	`${flag}[\\u{E0020}-\\u{E007F}]{1,6}`,
	'(?=\\p{L})\\p{Script=Mongolian}[\\u180B-\\u180D\\u180F]?\\u180E',
	'(?=\\p{L})\\p{Script=Mongolian}[\\u180B-\\u180D\\u180F]',
	// Variants of letters. All 240 selectors would let each letter carry a whole byte.
	'\\p{Unified_Ideograph}[\\uFE00-\\uFE02\\u{E0100}-\\u{E013F}]',
	'(?=\\p{L})[\\p{Script=Myanmar}\\p{Script=Phags_Pa}\\p{Script=Manichaean}]\\uFE00',
	'(?![\\x00-\\x7F])\\p{Sm}\\uFE00',
	'[\\u3001\\u3002\\uFF01\\uFF0C\\uFF0E\\uFF1A\\uFF1B\\uFF1F][\\uFE00\\uFE01]',
	`${unspaced}\\u200B`,
	`${rightToLeft}${between}[\\u200E\\u200F\\u061C]`,
	`[\\u200E\\u200F\\u061C](?=${between}${rightToLeft})`,
	`${formatted}(?!\\p{Default_Ignorable_Code_Point}|[\\uFFF9-\\uFFFB])\\p{Cf}`,
	`(?!\\p{Default_Ignorable_Code_Point}|[\\uFFF9-\\uFFFB])\\p{Cf}(?=${formatted})`,
	'[\\u2801-\\u28FF]\\u2800',
	'\\u2800(?=[\\u2801-\\u28FF])',
].join('|');

/**
 * Characters without a glyph: controls, directions, selectors, fillers, blanks outside Unicode's space class, and breaks other
 * than LF and CRLF. Chromium draws U+FFFC with no width.
 */
const unseen =
	'[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\u2800\\uFFFC\\u{16FE4}\\u{1D159}]|[^\\P{Cc}\\t\\n\\r]|\\r(?!\\n)';

/** Marks that pile up over the lines around them. Normal spelling has up to eight marks, four of any script. */
const piled = '\\p{M}(?:(?<=\\p{M}{9})|(?<=(?:(?=\\p{M})\\p{Script=Inherited}){5}))';

const hidden = new RegExp(`(?:${unseen})(?<!${ordinary})|${piled}`, 'gu');

/** Spells out a hidden character. Pages show text of this form as a pill. */
function spelledOut(character: string): string {
	return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

const directionMark = /^[\u200E\u200F\u061C]$/;
const startsRightToLeft = new RegExp(`^\\P{L}*(?=\\p{L})${rightToLeft}`, 'u');
/** Around a mark that a word or another hidden character holds. NUL is a tag. */
const wordBefore = /[\p{L}\p{M}\p{N}_]\0*$/u;
const wordAfter = /^\0*[\p{L}\p{N}_]/u;
const hiddenBefore = /\p{Default_Ignorable_Code_Point}\0*$/u;
const mostAround = 300;

/**
 * Tells whether a text needs the direction mark at an offset: at the edge of a word, in a line that begins right to left.
 * There, a mark keeps the full stop beside a name in other letters. Ask in the order of the offsets.
 */
function neededMarks(text: string): (at: number) => boolean {
	let end = -1;
	let isRightToLeft = false;
	return (at) => {
		if (at > end) {
			const start = text.lastIndexOf('\n', at) + 1;
			end = (text.indexOf('\n', at) + 1 || text.length + 1) - 1;
			isRightToLeft = startsRightToLeft.test(text.slice(start, end));
		}
		if (!isRightToLeft) {
			return false;
		}
		const before = text.slice(Math.max(0, at - mostAround), at);
		const isInWord = wordBefore.test(before) && wordAfter.test(text.slice(at + 1, at + mostAround));
		return !isInWord && !hiddenBefore.test(before);
	};
}

/** Text with hidden characters spelled out as `⟨U+202E⟩`, so that none can disguise it. */
export function visible(text: string): string {
	if (!unusual.test(text)) {
		return text;
	}
	const isNeeded = neededMarks(text);
	return text.replaceAll(hidden, (character, at: number) =>
		directionMark.test(character) && isNeeded(at) ? character : spelledOut(character),
	);
}

/** Like `visible`, for a text with LF line ends: also spells out the CR of a CRLF. */
export function visibleText(text: string): string {
	return visible(text).replaceAll('\r', spelledOut);
}

/** Matches any character outside printable ASCII, tab and LF. Without a match nothing is hidden. Much faster than `hidden`. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
export const unusual = /[^\t\n\x20-\x7E]/;

/** A title or name as one visible line: breaks and runs of blanks become one blank. */
export function visibleLine(text: string): string {
	return visible(text.replaceAll(/[^\S\uFEFF]+/gu, ' ').trim());
}

/** Forge names only contain ASCII. Other characters may look the same, so this spells them out. */
export function forgeName(text: string): string {
	return visibleLine(text).replaceAll(/[^\x20-\x7E\u27E8\u27E9]/gu, spelledOut);
}

/** Like `visibleLine`, with at most `most` characters and an ellipsis. */
export function shortLine(text: string, most: number): string {
	const characters = Array.from(visibleLine(text));
	return characters.length > most ? `${characters.slice(0, most).join('')}…` : characters.join('');
}

/**
 * Shows hidden characters between the tags of host-made HTML as pills. Skips attributes: the text of a picture, their only free
 * text, is visible already.
 */
export function pillsInHtml(html: string): string {
	if (!unusual.test(html) || html.search(hidden) === -1) {
		return html;
	}
	// Tags and character references hide no letters, and offsets stay.
	const isNeeded = neededMarks(
		html.replaceAll(/<[^<>]*>|&#?\w+;/g, (piece) => (piece.startsWith('<') ? '\0' : '"').repeat(piece.length)),
	);
	return html.replaceAll(/<[^<>]*>|[^<]+/g, (piece, start: number) =>
		piece.startsWith('<')
			? piece
			: piece.replaceAll(hidden, (character, at: number) =>
					directionMark.test(character) && isNeeded(start + at)
						? character
						: `<span class="hidden-character">${spelledOut(character)}</span>`,
				),
	);
}

const displayName = /^(?:"((?:[^"\\]|\\.)*)"|([^<"]*?))\s*<([^<>]*)>$/;

/** Name in a From header; the address if it has none. */
export function nameOfSender(header: string): string {
	const [, quoted, plain, address] = displayName.exec(header.slice(0, 500).trim()) ?? [];
	const name = visibleLine(quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? header.slice(0, 500));
	return name === '' ? visibleLine(address ?? '') : name;
}
