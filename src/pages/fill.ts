/** Inserts an element at `{0}`. */
export function fillElement(sentence: string, element: HTMLElement): readonly (HTMLElement | string)[] {
	const [before = '', after = ''] = sentence.split('{0}');
	return [before, element, after];
}

/** Inserts values at `{0}`, `{1}` and so on. */
export function fill(sentence: string, ...values: readonly string[]): string {
	return sentence.replaceAll(/\{(\d)\}/g, (place, at: string) => values[Number(at)] ?? place);
}
