import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import markdownIt from 'markdown-it';
import * as v from 'valibot';
import { listedPackages } from '../harness/billOfMaterials.ts';
import { sourceDateEpoch } from '../harness/buildPackage.ts';
import { root, vsixFile } from '../harness/places.ts';
import { packageFolders } from '../harness/packageFolders.ts';
import { lacksOnProductPage } from '../harness/packagedReadme.ts';
import { packageSources } from '../harness/sourceStamp.ts';
import { deadLinks, headingIds, pageLinks } from '../support/pageLinks.ts';
import { zipEntries } from './support/zipEntries.ts';
import { inRest } from '../support/parts.ts';

/**
 * Legal files, the manifest, the bill of materials, and only the named files of the extension. vsce renames three.
 */
const allowed =
	/^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package(\.nls(\.de)?)?\.json|sbom\.cdx\.json|ThirdPartyNotices\.txt|readme\.md|changelog\.md|docs\/(archives|forges|lists|notifications|reach|repositories|review|tickets|troubleshooting)\.md|docs\/images\/[\w-]+\.png|LICENSE(\.txt)?|media\/.+|dist\/(pages\/)?[^/]+\.js|dist\/sampleData\/(schemas\/\w+\.graphql|guest\/[\w-]+\.import|guest\/patches\/[\w-]+\.mbox)))$/;

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The pages of a package and the targets of their links, by their paths from its root. */
function packagedPages(vsix: string): {
	readonly pages: readonly string[];
	readonly textOf: (path: string) => string | undefined;
} {
	const entries = zipEntries(vsix);
	const pages = [...entries.keys()].flatMap((name) => /^extension\/(.*\.md)$/.exec(name)?.[1] ?? []);
	return { pages, textOf: (path) => entries.get(`extension/${path}`)?.toString() };
}

const marketplaceTags = (vsix: string): readonly string[] =>
	/<Tags>(.*)<\/Tags>/.exec(zipEntries(vsix).get('extension.vsixmanifest')?.toString() ?? '')?.[1]?.split(',') ?? [];

/** The pictures of the README. */
const shownPictures = pageLinks('README.md', readFileSync(join(root, 'README.md'), 'utf8'))
	.map(([path]) => path)
	.filter((path) => path.endsWith('.png'));

suite('package', () => {
	test('contains only the files that the extension needs', () => {
		const names = [...zipEntries(vsixFile).keys()];
		assert.deepEqual(
			names.filter((name) => !allowed.test(name)),
			[],
		);
		assert.ok(names.includes('extension/dist/extension.js'));
		assert.equal(names.filter((name) => /^extension\/docs\/.*\.md$/.test(name)).length, 9);
		assert.ok(statSync(vsixFile).size < 3_100_000);
	});

	test('has no page with a dead link or a picture that does not ship', () => {
		const { pages, textOf } = packagedPages(vsixFile);
		assert.equal(pages.length, 11);
		assert.deepEqual(deadLinks(pages, textOf), []);
		// The editor's page about an extension accepts only https.
		assert.deepEqual(
			pageLinks('readme.md', textOf('readme.md') ?? '').filter(([path]) => path !== 'readme.md'),
			[],
		);
	});

	test('has few marketplace tags, all of them its own', () => {
		const tags = marketplaceTags(vsixFile);
		assert.ok(tags.includes('sr.ht') && !tags.includes('java'));
		// The marketplace rejects more than 30.
		assert.ok(tags.length <= 30, tags.join());
	});

	suite('from another clone', function () {
		inRest(this);
		this.timeout(120_000);
		let clone = '';
		suiteSetup(() => {
			clone = mkdtempSync(join(tmpdir(), 'forge-desk-clone-'));
			for (const path of [...packageSources(), 'LICENSE', 'tsconfig.json', 'test']) {
				cpSync(join(root, path), join(clone, path), { recursive: true });
			}
			lendPackages(clone);
		});
		suiteTeardown(() => rmSync(clone, { recursive: true, force: true }));

		function packaged(words: string): { readonly vsix: string; readonly output: string } {
			const program = join(clone, 'test/harness/main.ts');
			const env = { ...process.env, TZ: 'Asia/Tokyo', SOURCE_DATE_EPOCH: String(sourceDateEpoch()) };
			const script = `umask 077; exec '${process.execPath}' '${program}' package ${words}`;
			const { status, stderr, stdout } = spawnSync('sh', ['-c', script], { cwd: clone, env, encoding: 'utf8' });
			assert.equal(status, 0, `${stdout}${stderr}`);
			return { vsix: join(clone, relative(root, vsixFile)), output: `${stdout}${stderr}` };
		}

		test('has the same bytes, in another folder and time zone and with another umask', () => {
			const { vsix, output } = packaged('');
			assert.equal(hashOf(vsix), hashOf(vsixFile));
			assert.ok(output.includes(lacksOnProductPage));
		});

		test('has pictures and links in its README if the repository is named', () => {
			const at = 'https://git.sr.ht/~owner/desk';
			const { vsix, output } = packaged(`--repository ${at}`);
			assert.doesNotMatch(output, /WARN/);
			const { textOf } = packagedPages(vsix);
			const readme = textOf('readme.md') ?? '';
			const pictures = Array.from(readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g), ([, url]) => url);
			assert.deepEqual(
				pictures,
				shownPictures.map((path) => `${at}/blob/HEAD/${path}`),
			);
			assert.deepEqual(lostTargets(readme, at), []);
			assert.deepEqual(deadLinks(['readme.md', 'changelog.md'], textOf), []);
			const manifest = v.parse(v.looseObject({}), JSON.parse(textOf('package.json') ?? ''));
			assert.deepEqual(
				[manifest['repository'], manifest['bugs'], manifest['homepage']],
				[{ type: 'git', url: at }, { url: 'https://todo.sr.ht/~owner/desk' }, at],
			);
		});
	});
});

/** Targets of the rendered product page that are neither a heading of it nor a page or picture of the repository. */
function lostTargets(readme: string, repository: string): readonly string[] {
	const html = markdownIt({ html: true }).render(readme);
	const targets = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, target = '']) => target);
	assert.ok(targets.length > shownPictures.length);
	return targets.filter((target) => {
		const [url = '', heading] = target.split('#');
		const isPicture = url.endsWith('.png');
		const below = `${repository}/${isPicture ? 'blob/HEAD' : 'tree/HEAD/item'}/`;
		const file = join(root, url.startsWith(below) ? url.slice(below.length) : 'README.md');
		if ((url !== '' && !url.startsWith(below)) || !existsSync(file)) {
			return true;
		}
		return heading !== undefined && !headingIds(readFileSync(file, 'utf8')).includes(heading);
	});
}

/** Bundled packages are copied, because esbuild would name a link's target in its comments. */
function lendPackages(clone: string): void {
	const bill = zipEntries(vsixFile).get('extension/sbom.cdx.json')?.toString() ?? '';
	const bundled = listedPackages(bill).map((each) => each.replace(/(?<=.)@.*/, ''));
	const folders = readdirSync(join(root, 'node_modules'));
	const scoped = folders.filter((name) => name.startsWith('@'));
	const names = folders
		.filter((name) => !name.startsWith('.') && !name.startsWith('@'))
		.concat(
			scoped.flatMap((scope) => readdirSync(join(root, 'node_modules', scope)).map((name) => `${scope}/${name}`)),
		);
	for (const name of names) {
		const own = packageFolders.get(name);
		const from = own === undefined ? join(root, 'node_modules', name) : join(clone, own);
		const to = join(clone, 'node_modules', name);
		mkdirSync(dirname(to), { recursive: true });
		if (bundled.includes(name)) {
			cpSync(from, to, { recursive: true });
		} else {
			symlinkSync(from, to);
		}
	}
}
