import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedSource } from '../../../test/harness/packageFolders.ts';
import { root } from '../../../test/harness/places.ts';
import { importsIn } from '../../../test/house/sources.ts';

/** All files and packages that the forge of the tests imports. */
function partsOf(entry: string): ReadonlySet<string> {
	const parts = new Set([entry]);
	for (const part of parts) {
		if (part.endsWith('.ts')) {
			for (const { specifier } of importsIn(readFileSync(join(root, part), 'utf8'))) {
				parts.add(importedSource(part, specifier) ?? specifier);
			}
		}
	}
	return parts;
}

suite('Sample forge: test additions', () => {
	test('import nothing from the client', () => {
		const parts = partsOf('packages/sample-forge/testing/main.ts');
		const allowed = /^packages\/sample-forge\/|^test\/support\/random\.ts$|^node:|^graphql$/;
		assert.deepEqual(
			[...parts].filter((part) => !allowed.test(part)),
			[],
		);
		assert.ok(parts.has('packages/sample-forge/src/sampleForge.ts'), 'it is another forge than the shipped one');
	});
});
