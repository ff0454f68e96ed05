import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleForge } from '../../src/app/sample/sampleForge.ts';
import { findProgram } from 'hardened-git/runProgram.ts';
import { root } from '../harness/places.ts';
import { fakeSecrets } from '../support/fakeSecrets.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

const places = {
	path: process.env['PATH'] ?? '',
	isWindows: process.platform === 'win32',
	refusedFolders: [],
};

const programPath = join(root, 'dist/sampleForge.js');

suite('sample forge bundle', () => {
	test('starts, responds, and ends with the window', async function () {
		this.timeout(20_000);
		const stateFolder = await mkdtemp(join(tmpdir(), 'sample-bundle-'));
		const findGit = (): Promise<string | undefined> => findProgram('git', places);
		const sample = sampleForge({ programPath, stateFolder }, process.env, findGit, fakeSecrets(), silent);
		try {
			const { instance, tokens } = await sample.start(new AbortController().signal);
			const answer = await fetch(`${instance.areas.todo}/query`, {
				method: 'POST',
				headers: {
					Authorization: `Bearer ${tokens['alice']?.reveal() ?? ''}`,
					Connection: 'close',
					'Content-Type': 'application/json',
				},
				body: JSON.stringify({ query: '{ me { username } }' }),
			});
			assert.deepEqual([answer.status, await answer.json()], [200, { data: { me: { username: 'alice' } } }]);
			await sample.stop();
			assert.equal(sample.running(), undefined);
		} finally {
			sample.dispose();
			await rm(stateFolder, { recursive: true, force: true });
		}
	});

	test('contains no hostile or odd text of the tests’ world', async () => {
		const dist = join(root, 'dist');
		const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
		assert.ok(files.includes('sampleForge.js'));
		const texts = await Promise.all(files.map(async (name) => await readFile(join(dist, name), 'utf8')));
		const markers = [
			'etc/passwd',
			'alert(1)',
			'evil.example',
			'tracker.example',
			'lantern-devel',
			'mallory',
			'gnp.exe',
		];
		const found = markers.filter((marker) => texts.some((text) => text.includes(marker)));
		assert.deepEqual(found, []);
	});

	test('has no test interface, and rejects options for tests', function () {
		this.timeout(20_000);
		// Its standard input is closed from the start, so it ends when it is ready.
		const run = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
			spawnSync(process.execPath, [programPath, ...args], { encoding: 'utf8', input: '' });
		const plain = run();
		assert.match(String(plain.stdout), /^{"ready":true,/);
		assert.doesNotMatch(String(plain.stdout), /"control"/);
		for (const dialect of ['field', 'document', 'graphql']) {
			assert.ok(String(run('--dialect', dialect).stdout).includes(`"dialect":"${dialect}"`), dialect);
		}
		for (const wish of ['--cache', '--tickets', '--files', '--series', '--latency-ms']) {
			const { status, stderr } = run(wish, '1');
			assert.deepEqual([status, String(stderr).includes(`Unknown option '${wish}'`)], [1, true], String(stderr));
		}
	});
});
