import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, resetStub, stubbed, Uri } from '../../../support/vscodeValues.ts';

const { openExactly } = await import('../../../../src/editor/links/openDestination.ts');

const src = join(import.meta.dirname, '../../../../src');

suite('opening a web address', () => {
	setup(resetStub);

	for (const address of [
		'https://x.example/search?q=C%2B%2B',
		'https://x.example/?next=https%3A%2F%2Fy.example%2Fz%3Fa%3D1%26b%3D2',
		'https://git.forge.test/~alice/quill/tree/feature%2Fx/item/C%23/main.cs',
	]) {
		test(`opens ${address} unchanged, unlike a Uri`, async () => {
			await openExactly(address);
			assert.deepEqual(stubbed.opened, [address]);
			await env.openExternal(Uri.parse(address));
			assert.notEqual(stubbed.opened[1], address);
		});
	}

	test('exists in one module only', () => {
		const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
		assert.deepEqual(
			files.filter((file) => readFileSync(join(src, file), 'utf8').includes('openExternal')),
			[join('editor', 'links', 'openDestination.ts')],
		);
	});
});
