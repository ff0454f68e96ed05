/** Only ASCII: the one way in which such a text may be written otherwise is the case of its letters. */
const plain = /^[\t-~]*$/;

/**
 * Text in the form in which it is compared: case and the many ways of writing one character make no difference. Folding
 * twice changes nothing more.
 */
export function foldText(text: string): string {
	if (plain.test(text)) {
		return text.toLowerCase();
	}
	// Lower case may leave a character that another way of writing it would not, and a sigma has two small forms.
	return text.normalize('NFKC').toLowerCase().normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** Whether texts, folded, hold a text. Most texts are ASCII, and those need not be folded to know. */
export function foldedHolds(part: string): (text: string) => boolean {
	const wanted = foldText(part);
	const anyCase = new RegExp(wanted.replaceAll(/[^a-z0-9 ]/g, String.raw`\$&`), 'i');
	return plain.test(wanted)
		? (text) => (plain.test(text) ? anyCase.test(text) : foldText(text).includes(wanted))
		: (text) => !plain.test(text) && foldText(text).includes(wanted);
}
