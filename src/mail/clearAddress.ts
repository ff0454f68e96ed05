/** Signs that cannot be seen, that stand for nothing, and letters of phonetics, which look like those of names. */
const neverClear = /[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u0250-\u02AF\u1D00-\u1DBF\uA720-\uA7FF\uAB30-\uAB6F]/u;

const onlyAscii = /^[!-~]*$/;
/** No one takes letters of east Asia for Latin ones, and people there write both. */
const latinAndEastAsian =
	/^[!-~\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\u30FB\u30FC]*$/u;

/** Addresses in these have none of another script, not even of ASCII. */
const otherScripts = (
	'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao ' +
	'Malayalam Myanmar Oriya Sinhala Tamil Telugu Thai'
)
	.split(' ')
	.map((script) => new RegExp(`^(?:[!-@[-\`{-~]|\\p{Script_Extensions=${script}})*$`, 'u'));

/**
 * False for an address that people may take for another one: with signs that cannot be seen, with several ways to write
 * the same letter, or of letters of several scripts, some of which look the same. Takes time as it is long.
 */
export function isClearAddress(address: string): boolean {
	if (onlyAscii.test(address)) {
		return true;
	}
	const composed = address.normalize('NFC');
	return (
		composed === address.normalize('NFKC') &&
		!neverClear.test(composed) &&
		(latinAndEastAsian.test(composed) || otherScripts.some((script) => script.test(composed)))
	);
}
