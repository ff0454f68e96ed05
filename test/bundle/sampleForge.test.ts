import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleForge } from '../../src/app/sample/sampleForge.ts';
import { root } from '../harness/places.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

suite('the sample forge’s bundle', () => {
	test('it starts from its packed form, answers, and ends with the window', async function () {
		this.timeout(20_000);
		const cacheDir = await mkdtemp(join(tmpdir(), 'forge-desk-test-'));
		const programPath = join(root, 'dist/sampleForge.cjs');
		const sample = sampleForge({ programPath, cacheDir, environment: process.env, log: silent });
		try {
			const { instance, tokens } = await sample.start(new AbortController().signal);
			const headers = { Authorization: `Bearer ${tokens['alice']?.reveal() ?? ''}`, Connection: 'close' };
			const answer = await fetch(`${instance.areas.todo}/api/user`, { headers });
			assert.equal(answer.status, 200);
			assert.match(await answer.text(), /alice/);
			await sample.stop();
			assert.equal(sample.running(), undefined);
		} finally {
			sample.dispose();
			await rm(cacheDir, { recursive: true, force: true });
		}
	});
});
