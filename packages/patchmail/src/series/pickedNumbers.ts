/**
 * Numbers in a choice of patches such as `1-3,5`, `4-`, `-2` or `*`, up to `last`. `undefined` for any other text. Numbers
 * that no patch has count as none.
 */
export function pickedNumbers(text: string, last: number): ReadonlySet<number> | undefined {
	const parts = text.split(',').map((part) => part.trim());
	const found = new Set<number>();
	for (const [at, part] of parts.entries()) {
		const [, from, dash, to = ''] = /^(\d{0,6})\s*(?:(-)\s*(\d{0,6}))?$/.exec(part === '*' ? '-' : part) ?? [];
		if (from === undefined) {
			return undefined;
		}
		if (part === '') {
			// A comma just typed begins the next number.
			if (at === 0) {
				return undefined;
			}
			continue;
		}
		const top = dash === undefined ? Number(from) : to === '' ? last : Number(to);
		for (let number = from === '' ? 1 : Number(from); number <= Math.min(top, last); number++) {
			found.add(number);
		}
	}
	return found;
}
