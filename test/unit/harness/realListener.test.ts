import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRealListener } from '../../bench/realListener.ts';
import { deliveryBytes, exchange, makeSigner, statusOf } from '../../support/hookSender.ts';

suite('benchmark listener', () => {
	const before = process.env['TMPDIR'];
	let folder = '';
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-real-'));
		process.env['TMPDIR'] = folder;
	});
	teardown(() => {
		if (before === undefined) {
			delete process.env['TMPDIR'];
		} else {
			process.env['TMPDIR'] = before;
		}
		rmSync(folder, { recursive: true, force: true });
	});

	test('leaves no folder behind, although it writes until its end', async () => {
		const signer = makeSigner();
		const family = { kind: 'tracker', ref: { owner: '~alice', name: 'alpha' } } as const;
		// Without waiting for the disk, three of four left a folder behind, and one of twenty failed.
		for (let count = 0; count < 20; count += 1) {
			await using opened = await openRealListener({ publicKey: signer.publicKey, family });
			const { port } = opened.listener;
			assert.equal(statusOf(await exchange(port, deliveryBytes({ host: `127.0.0.1:${port}`, signer }))), 204);
		}
		assert.deepEqual(readdirSync(folder), []);
	});
});
