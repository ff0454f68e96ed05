/** A picture in a paragraph of its own. */
const pictureLine = /^!\[[^\]\n]*\]\([^)\n]*\)\n\n?/gm;
/** A link to a file of this repository. */
const fileLink = /\[([^\]\n]*)\]\((?!#|[a-z][a-z\d+.-]*:)[^)\n]*\)/gi;
/** A link to a guide, alone on its line. */
const guideLine = /^\[[^\]\n]*\]\((?!#|[a-z][a-z\d+.-]*:)[^)\n]*\)\n\n?/gim;
/** Sections about files of the repository. */
const repositorySections = /^## (?:Development|More)\n[\s\S]*?(?=^## |$(?![\s\S]))/gm;

/**
 * README.md for the package: the editor shows it without the repository's files, so pictures and links to files go. The guides
 * are in the package, and **Forge: Help…** opens them.
 */
export function packagedReadme(readme: string): string {
	const text = readme
		.replaceAll(pictureLine, '')
		.replaceAll(repositorySections, '')
		.replaceAll(guideLine, '')
		.replaceAll(fileLink, '$1')
		.trimEnd();
	return `${text}\n\n## Guides\n\n**Forge: Help…** opens the guides.\n`;
}
