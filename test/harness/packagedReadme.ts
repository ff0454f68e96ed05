/** A picture with its address, as a paragraph of its own. */
const pictureLine = /^!\[[^\]\n]*\]\([^)\n]*\)\n\n?/gm;
/** A link into this repository: to a file, and not to a place on the page or on the web. */
const fileLink = /\[([^\]\n]*)\]\((?!#|[a-z][a-z\d+.-]*:)[^)\n]*\)/gi;
/** What only those need who have the sources. */
const developmentSection = /^## Development\n[\s\S]*?(?=^## |$(?![\s\S]))/m;
const tryItSection = /^## Try it\n[\s\S]*?(?=^## )/m;
const tryIt =
	'## Try it\n\n**Forge: Try the Sample Forge** starts a whole small forge on your own machine and signs you in to it.\n\n';

/**
 * README.md as the editor shows it of an installed extension. Pictures and links would need a public address, which there
 * is none of yet, so it does without: the guides are in the package, and the command that opens them is named instead.
 */
export function packagedReadme(readme: string): string {
	const text = readme
		.replaceAll(pictureLine, '')
		.replace(tryItSection, tryIt)
		.replace(developmentSection, '')
		.replaceAll(fileLink, '$1')
		.trimEnd();
	return `${text}\n\n## Guides\n\n**Forge: Help…** opens the guides to tickets, lists and repositories.\n`;
}
