import { dirname, join, normalize } from 'node:path';

/** A link or image of a Markdown page with a file target: path from the root, and the heading. */
export type PageLink = readonly [path: string, heading: string | undefined];

function withoutBlocks(text: string): string {
	return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

export function pageLinks(page: string, text: string): readonly PageLink[] {
	return Array.from(
		withoutBlocks(text).matchAll(/\]\((?![a-z][a-z\d+.-]*:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
		([, path = '', heading]) => [path === '' ? page : normalize(join(dirname(page), path)), heading],
	);
}

/** Heading ids in the form of code forges. */
export function headingIds(text: string): readonly string[] {
	return Array.from(withoutBlocks(text).matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
		title
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

/** Broken links. `textOf`: undefined for a missing file. */
export function deadLinks(pages: readonly string[], textOf: (path: string) => string | undefined): readonly string[] {
	const isDead = ([path, heading]: PageLink): boolean => {
		const text = textOf(path);
		return text === undefined || (heading !== undefined && path.endsWith('.md') && !headingIds(text).includes(heading));
	};
	return pages.flatMap((page) =>
		pageLinks(page, textOf(page) ?? '')
			.filter(isDead)
			.map((link) => `${page} -> ${link.join('#')}`),
	);
}
