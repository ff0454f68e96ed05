import assert from 'node:assert/strict';
import { packageSources } from '../../harness/sourceStamp.ts';

suite('sources of the package', () => {
	test('include packaged documents, but none that a command writes', () => {
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
