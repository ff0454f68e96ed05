/** Scripts whose words are written with joiners. */
const joiningScripts = [
	'Arabic',
	'Syriac',
	'Devanagari',
	'Bengali',
	'Gurmukhi',
	'Gujarati',
	'Oriya',
	'Tamil',
	'Telugu',
	'Kannada',
	'Malayalam',
	'Sinhala',
	'Khmer',
	'Mongolian',
]
	.map((script) => `\\p{Script=${script}}`)
	.join('');

/** What a joiner may follow: a letter of those scripts, or a part of an emoji. */
const joinable = `[${joiningScripts}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]`;

/** Characters that change what a reader sees without being seen: controls, directions, zero widths, tags. */
const neverSeen =
	'[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E' +
	'\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}]';

const hidden = new RegExp(`${neverSeen}|(?<!${joinable})[\\u200C\\u200D]`, 'gu');

/** How a hidden character is written out. Pages show text of this form as a pill. */
function spelledOut(character: string): string {
	return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Text in which hidden characters are written out as `⟨U+202E⟩`, so that nothing looks like what it is not. */
export function visible(text: string): string {
	return unusual.test(text) ? text.replaceAll(hidden, spelledOut) : text;
}

/** Breaks that are shown as the end of a line, though a text that is read as lines of LF does not mean one. */
const oddBreaks = /[\r\u2028\u2029]/g;

/** As `visible`, of a text of lines: what would break a line without being LF is written out, too. */
export function visibleText(text: string): string {
	return visible(text).replaceAll(oddBreaks, spelledOut);
}

/** Finds whatever is not plain ASCII. Where this finds nothing, nothing is hidden; and it is much faster. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
export const unusual = /[^\t\n\r\x20-\x7E]/;

/** True when `visible` would change the text. */
function hasHidden(text: string): boolean {
	return unusual.test(text) && text.search(hidden) !== -1;
}

/** One line of visible text, as titles and names are shown: breaks and runs of blanks become one blank. */
export function visibleLine(text: string): string {
	return visible(text.replaceAll(/[^\S\uFEFF]+/gu, ' ').trim());
}

/** The same with no more than so many characters. */
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
