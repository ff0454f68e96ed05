import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { listedPackages } from '../harness/billOfMaterials.ts';
import { sourceDateEpoch } from '../harness/buildPackage.ts';
import { root, vsixFile } from '../harness/places.ts';
import { packageSources } from '../harness/sourceStamp.ts';
import { zipEntries } from './support/zipEntries.ts';

/** The papers, the manifest and the bill of materials, and of the extension the named files only. vsce renames three. */
const allowed =
	/^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package\.json|sbom\.cdx\.json|readme\.md|changelog\.md|docs\/(forges|lists|notifications|reach|repositories|review|tickets)\.md|LICENSE(\.txt)?|media\/.+|dist\/(pages\/)?[^/]+\.js))$/;

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

suite('the package', () => {
	test('it holds nothing but what the extension needs', () => {
		const names = [...zipEntries(vsixFile).keys()];
		assert.deepEqual(
			names.filter((name) => !allowed.test(name)),
			[],
		);
		assert.ok(names.includes('extension/dist/extension.js'));
		assert.equal(names.filter((name) => name.startsWith('extension/docs/')).length, 7);
	});

	test('another folder, time zone and umask make the same bytes', function () {
		this.timeout(120_000);
		const clone = mkdtempSync(join(tmpdir(), 'forge-desk-clone-'));
		try {
			for (const path of [...packageSources(), 'LICENSE', 'tsconfig.json', 'test']) {
				cpSync(join(root, path), join(clone, path), { recursive: true });
			}
			lendPackages(clone);
			const program = join(clone, 'test/harness/main.ts');
			const env = { ...process.env, TZ: 'Asia/Tokyo', SOURCE_DATE_EPOCH: String(sourceDateEpoch()) };
			const script = `umask 077; exec '${process.execPath}' '${program}' package`;
			const { status, stderr, stdout } = spawnSync('sh', ['-c', script], { cwd: clone, env, encoding: 'utf8' });
			assert.equal(status, 0, `${stdout}${stderr}`);
			assert.equal(hashOf(join(clone, relative(root, vsixFile))), hashOf(vsixFile));
		} finally {
			rmSync(clone, { recursive: true, force: true });
		}
	});
});

/** Bundled packages are copied: through a link esbuild would name their own place in its comments. */
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
		const [from, to] = [join(root, 'node_modules', name), join(clone, 'node_modules', name)];
		mkdirSync(dirname(to), { recursive: true });
		if (bundled.includes(name)) {
			cpSync(from, to, { recursive: true });
		} else {
			symlinkSync(from, to);
		}
	}
}
