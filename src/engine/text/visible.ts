/** Scripts with joiners in normal words. */
const joining = of(
	'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Mongolian',
);
/** Scripts without blanks between words. U+200B marks the ends of words. */
const unspaced = of('Khmer Thai Lao Myanmar');
/** Right-to-left scripts. Direction marks beside them are normal. */
const rightToLeft = of('Hebrew Arabic Syriac Thaana Nko Adlam Hanifi_Rohingya Samaritan Mandaic');
/** Scripts with visible format controls, such as number signs. */
const formatted = of('Arabic Syriac Kaithi Egyptian_Hieroglyphs');

/** A letter, mark, number or punctuation of these scripts. */
function of(scripts: string): string {
	return `(?=[\\p{L}\\p{M}\\p{N}\\p{P}])[${scripts.replaceAll(/\w+ ?/g, (script) => `\\p{Script_Extensions=${script.trim()}}`)}]`;
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

/** Text with hidden characters spelled out as `⟨U+202E⟩`, so that none can disguise it. */
export function visible(text: string): string {
	return unusual.test(text) ? text.replaceAll(hidden, spelledOut) : text;
}

/** Like `visible`, for a text with LF line ends: also spells out the CR of a CRLF. */
export function visibleText(text: string): string {
	return visible(text).replaceAll('\r', spelledOut);
}

/** Matches any character outside printable ASCII, tab and LF. Without a match nothing is hidden. Much faster than `hidden`. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
export const unusual = /[^\t\n\x20-\x7E]/;

/** True when `visible` would change the text. */
function hasHidden(text: string): boolean {
	return unusual.test(text) && text.search(hidden) !== -1;
}

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
	if (!hasHidden(html)) {
		return html;
	}
	return html.replaceAll(/<[^<>]*>|[^<]+/g, (piece) =>
		piece.startsWith('<')
			? piece
			: piece.replaceAll(hidden, (character) => `<span class="hidden-character">${spelledOut(character)}</span>`),
	);
}
