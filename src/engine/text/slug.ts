const longestSlug = 50;

/** Words in lower case with hyphens, cut at a word's end where that is near. Empty for a text without letters and digits. */
export function slug(text: string): string {
	const words = text
		.normalize('NFKC')
		.toLowerCase()
		.replaceAll(/['’]/g, '')
		.replaceAll(/(?:[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point})+/gu, '-')
		.replaceAll(/^-+|-+$/g, '');
	if (words.length <= longestSlug) {
		return words;
	}
	const cut = words.slice(0, longestSlug).toWellFormed().replaceAll('\uFFFD', '');
	const end = cut.lastIndexOf('-');
	return end > longestSlug / 2 ? cut.slice(0, end) : cut;
}
