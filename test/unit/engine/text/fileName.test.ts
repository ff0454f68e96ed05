import assert from 'node:assert/strict';
import { safeFileName } from '../../../../src/engine/text/fileName.ts';
import { slug } from '../../../../src/engine/text/slug.ts';

suite('file names', () => {
	test('in any script stay under 255 bytes and keep their start and extension', () => {
		for (const [sign, ending] of [
			['x', '.tar.gz'],
			['é', '.patch'],
			['价', '.patch'],
			['🎉', '.png'],
		] as const) {
			for (const count of [10, 60, 120, 400, 5000]) {
				const name = safeFileName(`${sign.repeat(count)}${ending}`, 'download');
				assert.ok(Buffer.byteLength(name) <= 200, name);
				assert.ok(name.startsWith(sign) && name.endsWith(`${sign}${ending}`) && name.isWellFormed(), name);
			}
		}
		assert.equal(safeFileName('价'.repeat(60), 'download'), '价'.repeat(60));
	});

	test('avoid Windows device names with any digit', () => {
		for (const name of ['CON', 'nul.txt', 'com1', 'COM¹', 'lpt².log', 'COM³ .patch', 'conin$']) {
			assert.equal(safeFileName(name, 'download'), `_${name}`);
		}
		assert.equal(safeFileName('COM⁴', 'download'), 'COM⁴');
	});

	test('from titles keep letters and marks of every script and nothing hidden', () => {
		for (const [title, expected] of [
			['docs: add über', 'docs-add-über'],
			['हिन्दी में', 'हिन्दी-में'],
			['ភាសាខ្មែរ', 'ភាសាខ្មែរ'],
			['日本語のパッチ', '日本語のパッチ'],
			['a\uFE0Fb\u3164c', 'a-b-c'],
			['…', ''],
		] as const) {
			assert.equal(slug(title), expected);
		}
	});
});
