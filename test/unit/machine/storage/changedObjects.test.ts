import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { objectFolders } from '../../../../src/machine/storage/objectFolders.ts';
import { systemClock } from '../../../../src/app/accounts/systemClock.ts';

suite('tampered object on disk', () => {
	let folder = '';
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-objects-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	test('does not pass the hash check and is deleted, despite its valid form and length', async () => {
		const bytes = Buffer.from('Hello\n');
		const id = createHash('sha1').update('blob 6\0Hello\n').digest('hex');
		const objects = objectFolders(folder, systemClock);
		objects.of('one').keep('blob', id, { aboutBytes: bytes.byteLength, bytes: () => bytes });
		await objects.idle();
		const [path = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => join(folder, name))
			.filter((name) => statSync(name).isFile());
		writeFileSync(path, deflateSync('blob 6\0Jello\n'));
		assert.equal(await objects.of('one').read('blob', id), undefined);
		assert.equal(existsSync(path), false);
	});
});
