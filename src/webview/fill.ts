/** Puts an element into a sentence that has `{0}` in its place. */
export function fillElement(sentence: string, element: HTMLElement): readonly (HTMLElement | string)[] {
	const [before = '', after = ''] = sentence.split('{0}');
	return [before, element, after];
}

/** Puts values into a sentence that has `{0}`, `{1}` … in their places. */
export function fill(sentence: string, ...values: readonly string[]): string {
	return sentence.replaceAll(/\{(\d)\}/g, (place, at: string) => values[Number(at)] ?? place);
}
