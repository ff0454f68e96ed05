/** A picture in a paragraph of its own. */
const pictureLine = /^!\[[^\]\n]*\]\([^)\n]*\)\n\n?/gm;
/** A link to a file of this repository. */
const fileLink = /\[([^\]\n]*)\]\((?!#|[a-z][a-z\d+.-]*:)[^)\n]*\)/gi;
/** A link to a guide, alone on its line, with or without a full stop. */
const guideLine = /^\[[^\]\n]*\]\((?!#|[a-z][a-z\d+.-]*:)[^)\n]*\)\.?\n\n?/gim;
/** Its files do not ship. */
const developmentSection = /^## Development\n[\s\S]*?(?=^## |$(?![\s\S]))/gm;
/** A list of links to files. */
const moreSection = /^## More\n[\s\S]*?(?=^## |$(?![\s\S]))/gm;

/** For owners who package without a repository. */
export const lacksOnProductPage =
	'Without --repository URL, the product page has no pictures, no links to guides, and no repository, issues and home page.';

/**
 * README.md for the package. The editor's page about an extension shows pictures and follows links of https only, so both need
 * a repository (docs/decisions/0033-product-page.md). Without one they go, and **Forge: Help…** opens the guides.
 */
export function packagedReadme(readme: string, hasRepository: boolean): string {
	const text = readme.replaceAll(developmentSection, '');
	if (hasRepository) {
		return `${text.trimEnd()}\n`;
	}
	const alone = text
		.replaceAll(moreSection, '')
		.replaceAll(pictureLine, '')
		.replaceAll(guideLine, '')
		.replaceAll(fileLink, '$1')
		.trimEnd();
	return `${alone}\n\n## Guides\n\n**Forge: Help…** opens the guides, with pictures.\n`;
}
