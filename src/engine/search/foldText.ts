/** ASCII only, so case is the only variation. */
const plain = /^[\t-~]*$/;

/** Folds case and Unicode compatibility variants for comparison. Idempotent. */
export function foldText(text: string): string {
	if (plain.test(text)) {
		return text.toLowerCase();
	}
	// Lower-casing can create new compatibility characters, and sigma has two lower-case forms.
	return text.normalize('NFKC').toLowerCase().normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** A folded substring test. Most texts are ASCII and need no folding. */
export function foldedHolds(part: string): (text: string) => boolean {
	const wanted = foldText(part);
	const anyCase = new RegExp(wanted.replaceAll(/[^a-z0-9 ]/g, String.raw`\$&`), 'i');
	return plain.test(wanted)
		? (text) => (plain.test(text) ? anyCase.test(text) : foldText(text).includes(wanted))
		: (text) => !plain.test(text) && foldText(text).includes(wanted);
}
