import assert from 'node:assert/strict';
import { packageSources } from '../../harness/sourceStamp.ts';

suite('what the package is made from', () => {
	test('are the documents that are in it, and none that a command writes while others use the package', () => {
		const files = packageSources();
		for (const file of ['package.json', 'README.md', 'src/extension.ts', 'docs/lists.md']) {
			assert.ok(files.includes(file), file);
		}
		assert.deepEqual(
			files.filter((file) => file === 'docs/proof.md' || file === 'docs/benchmarks.md'),
			[],
		);
	});
});
