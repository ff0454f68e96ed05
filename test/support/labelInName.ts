/** Words of a text for speech control: without punctuation, in lower case. */
function wordsOf(text: string): readonly string[] {
	return (
		text
			.normalize('NFKD')
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
	);
}

/**
 * True if a row's accessible name contains the words of its label in order (axe's rule `label-content-name-mismatch`),
 * so that speech control finds the row. The description may differ: it abbreviates ages.
 */
export function holdsLabel(name: string, label: string): boolean {
	return ` ${wordsOf(name).join(' ')} `.includes(` ${wordsOf(label).join(' ')} `) || wordsOf(label).length === 0;
}
