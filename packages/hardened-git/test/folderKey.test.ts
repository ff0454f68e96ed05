import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderKey } from '../src/fileInClone.ts';

suite('folder key', () => {
	const top = mkdtempSync(join(tmpdir(), 'folder-key-'));
	suiteTeardown(() => rmSync(top, { recursive: true, force: true }));

	test('is the same for all paths to a folder, in lower case on a case-insensitive disk', async () => {
		mkdirSync(join(top, 'Quill'));
		symlinkSync(join(top, 'Quill'), join(top, 'link'));
		const key = await folderKey(join(top, 'Quill'), false);
		assert.equal(await folderKey(join(top, 'link', '..', 'Quill', '.'), false), key);
		assert.equal(await folderKey(join(top, 'link'), false), key);
		assert.notEqual(await folderKey(join(top, 'quill'), false), key);
		assert.equal(await folderKey(join(top, 'gone', '..', 'GONE'), true), await folderKey(join(top, 'gone'), true));
		assert.equal(await folderKey(join(top, 'link'), true), key.toLowerCase());
	});
});
