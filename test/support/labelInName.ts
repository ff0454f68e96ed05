/** The words of a text, as speech control hears them: without signs, and whatever their case. */
function wordsOf(text: string): readonly string[] {
	return (
		text
			.normalize('NFKD')
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
	);
}

/**
 * Whether who names a row by what stands in it reaches it: its name holds the words of its label, one after another (the
 * rule `label-content-name-mismatch` of axe). What stands behind the label is said in other words: ages are short there.
 */
export function holdsLabel(name: string, label: string): boolean {
	return ` ${wordsOf(name).join(' ')} `.includes(` ${wordsOf(label).join(' ')} `) || wordsOf(label).length === 0;
}
