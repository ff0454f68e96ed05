import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { grantsOf, projectGrants, serviceNames } from 'sourcehut/graphql/transport/grants.ts';
import { scopes } from 'sourcehut/port/scope.ts';
import { deadLinks, pageLinks } from '../support/pageLinks.ts';

const root = join(import.meta.dirname, '../..');
const pages = [...readdirSync(root), ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
	name.endsWith('.md'),
);
const patterns: readonly string[] = readFileSync(join(root, '.vscodeignore'), 'utf8').match(/(?<=^!)docs\/.*$/gm) ?? [];
const shipped: readonly string[] = globSync([...patterns], { cwd: root });

function textOf(path: string): string | undefined {
	const file = join(root, path);
	return !existsSync(file) ? undefined : statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
}

suite('pages', () => {
	test('have no dead links or pictures', () => {
		assert.deepEqual(deadLinks(pages, textOf), []);
		const planted = (path: string): string | undefined =>
			path === 'a.md' ? '# A\n\n[one](#b) [two](no.md) ![three](no.png) [four](#a)' : undefined;
		assert.equal(deadLinks(['a.md'], planted).length, 3);
	});

	test('that ship link only to files that ship', () => {
		const guides = shipped.filter((path) => path.endsWith('.md'));
		assert.ok(guides.length > 5);
		const astray = guides.flatMap((page) =>
			pageLinks(page, textOf(page) ?? '')
				.filter(([path]) => !shipped.includes(path))
				.map(([path]) => `${page} -> ${path}`),
		);
		assert.deepEqual(astray, []);
	});

	test('show every picture of docs/images, those of the README also in a guide', () => {
		const pictures = globSync('docs/images/*', { cwd: root }).toSorted();
		const shownIn = (files: readonly string[]): readonly string[] =>
			[...new Set(files.flatMap((page) => pageLinks(page, textOf(page) ?? '').map(([path]) => path)))]
				.filter((path) => path.startsWith('docs/images/'))
				.toSorted();
		assert.equal(pictures.length, 6);
		assert.deepEqual(shownIn(['README.md']), pictures);
		assert.deepEqual(shownIn(shipped.filter((path) => path.endsWith('.md'))), pictures);
	});

	test('name each permission that the link to a new token requests', () => {
		const services = serviceNames({ scopeSpelling: { prefixes: {}, names: {} } });
		const requested = [...scopes.flatMap((scope) => grantsOf(scope, services)), ...projectGrants];
		const page = textOf('docs/forges.md') ?? '';
		// `RW` includes `RO`.
		const isNamed = (grant: string): boolean => page.includes(grant) || page.includes(grant.replace(/RO$/, 'RW'));
		const names = new Set(requested.map((grant) => grant.replace(/^.*\//, '')));
		assert.deepEqual(
			[...names].filter((grant) => !isNamed(grant)),
			[],
		);
	});
});
