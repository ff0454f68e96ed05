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
 * So may the facts before the title of a patchset. A text with "…" is the beginning of one in the name.
 */
export function holdsLabel(name: string, label: string): boolean {
	const spoken = ` ${wordsOf(name).join(' ')} `;
	let from = 0;
	for (const [at, piece] of titleIn(label).split('…').entries()) {
		const isCut = label.split('…').length > at + 1;
		const words = wordsOf(piece).join(' ');
		const found = words === '' ? from : spoken.indexOf(isCut ? ` ${words}` : ` ${words} `, from);
		if (found === -1) {
			return false;
		}
		from = found;
	}
	return true;
}

/** The title in the label of a patchset's row: `Fix it` in `v2 3d Bob (4) · Fix it`. Other labels stay as they are. */
export function titleIn(label: unknown): string {
	return labelText(label).replace(/^(?:v\d+ )?\d+[mhdy](?: [^·]+)? · /u, '');
}

/** A row's label, which is a text in all trees. */
export function labelText(label: unknown): string {
	return typeof label === 'string' ? label : '';
}
