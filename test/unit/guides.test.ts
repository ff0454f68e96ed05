import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '../..');
const pages = [...readdirSync(root), ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
	name.endsWith('.md'),
);
const shipped: readonly string[] =
	readFileSync(join(root, '.vscodeignore'), 'utf8').match(/(?<=^!)docs\/.*\.md$/gm) ?? [];

/** Links and pictures of a page that lead into the repository: path from the root, and the heading. */
function links(page: string): readonly (readonly [path: string, heading: string | undefined])[] {
	const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
	return Array.from(
		text.matchAll(/\]\((?![a-z][a-z\d+.-]*:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
		([, path = '', heading]) => [path === '' ? page : normalize(join(dirname(page), path)), heading],
	);
}

/** Ids of a page's headings, as code forges make them. */
function headings(page: string): readonly string[] {
	const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
	return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
		title
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

function isDead([path, heading]: readonly [string, string | undefined]): boolean {
	return (
		!existsSync(join(root, path)) ||
		(heading !== undefined && path.endsWith('.md') && !headings(path).includes(heading))
	);
}

suite('pages', () => {
	test('have no dead links or pictures', () => {
		const dead = pages.flatMap((page) =>
			links(page)
				.filter(isDead)
				.map((link) => `${page} -> ${link.join('#')}`),
		);
		assert.deepEqual(dead, []);
		assert.ok(isDead(['README.md', 'no-such-heading']) && isDead(['docs/no-such-page.md', undefined]));
	});

	test('that ship link only to pages that ship', () => {
		assert.ok(shipped.length > 5);
		const astray = shipped.flatMap((page) =>
			links(page)
				.filter(([path]) => !shipped.includes(path))
				.map(([path]) => `${page} -> ${path}`),
		);
		assert.deepEqual(astray, []);
	});
});
