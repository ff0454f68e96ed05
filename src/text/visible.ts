/** Scripts whose words are written with joiners. */
const joining = of(
	'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Mongolian',
);
/** Scripts without blanks between words, which mark their ends with U+200B. */
const unspaced = of('Khmer Thai Lao Myanmar');
/** Scripts written from right to left, beside which direction marks are ordinary. */
const rightToLeft = of('Hebrew Arabic Syriac Thaana Nko Adlam Hanifi_Rohingya Samaritan Mandaic');
/** Scripts with format controls that are seen, such as the sign of a number. */
const formatted = of('Arabic Syriac Kaithi Egyptian_Hieroglyphs');

/** A letter, mark, number or punctuation of these scripts. */
function of(scripts: string): string {
	return `(?=[\\p{L}\\p{M}\\p{N}\\p{P}])[${scripts.replaceAll(/\w+ ?/g, (script) => `\\p{Script_Extensions=${script.trim()}}`)}]`;
}

const tags = (text: string): string =>
	Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
/** The three flags of subdivisions that Unicode recommends; other tags could spell anything. */
const flag = `\\u{1F3F4}(?=${tags('gb')}(?:${['eng', 'sct', 'wls'].map(tags).join('|')})\\u{E007F})`;

/** Signs between a direction mark and its script. */
const between = '[\\p{P}\\p{S}\\p{Zs}\\p{Nd}]{0,3}';

/** Invisible characters where ordinary spelling has them. Each ends with the character. */
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
 * Characters without a picture of their own: controls, directions, selectors, fillers, blanks that Unicode does not count
 * as spaces, breaks other than LF and CRLF. Chromium draws U+FFFC with no width.
 */
const unseen =
	'[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\u2800\\uFFFC\\u{16FE4}\\u{1D159}]|[^\\P{Cc}\\t\\n\\r]|\\r(?!\\n)';

/** Marks that pile up over the lines around them. Ordinary spelling has up to eight marks, four of any script. */
const piled = '\\p{M}(?:(?<=\\p{M}{9})|(?<=(?:(?=\\p{M})\\p{Script=Inherited}){5}))';

const hidden = new RegExp(`(?:${unseen})(?<!${ordinary})|${piled}`, 'gu');

/** How a hidden character is written out. Pages show text of this form as a pill. */
function spelledOut(character: string): string {
	return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Text in which hidden characters are written out as `⟨U+202E⟩`, so that nothing looks like what it is not. */
export function visible(text: string): string {
	return unusual.test(text) ? text.replaceAll(hidden, spelledOut) : text;
}

/** As `visible`, of a text with LF alone at the end of its lines: the CR of a CRLF is written out, too. */
export function visibleText(text: string): string {
	return visible(text).replaceAll('\r', spelledOut);
}

/** Finds whatever is not plain ASCII, and a CR. Where this finds nothing, nothing is hidden. Much faster than `hidden`. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
export const unusual = /[^\t\n\x20-\x7E]/;

/** True when `visible` would change the text. */
function hasHidden(text: string): boolean {
	return unusual.test(text) && text.search(hidden) !== -1;
}

/** One line of visible text, as titles and names are shown: breaks and runs of blanks become one blank. */
export function visibleLine(text: string): string {
	return visible(text.replaceAll(/[^\S\uFEFF]+/gu, ' ').trim());
}

/** A name on a forge, which has letters of ASCII alone. Others may look the same, so they are written out. */
export function forgeName(text: string): string {
	return visibleLine(text).replaceAll(/[^\x20-\x7E\u27E8\u27E9]/gu, spelledOut);
}

/** As `visibleLine`, with no more than so many characters. */
export function shortLine(text: string, most: number): string {
	const characters = Array.from(visibleLine(text));
	return characters.length > most ? `${characters.slice(0, most).join('')}…` : characters.join('');
}

/**
 * Host-made HTML in which hidden characters between tags are shown as pills. Attributes are left alone: the only free
 * text in one, that of a picture, is made visible when the picture is.
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
