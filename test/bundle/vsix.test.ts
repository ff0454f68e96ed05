import assert from 'node:assert/strict';
import { vsixFile } from '../harness/places.ts';
import { zipEntries } from './support/zipEntries.ts';

/** What a package may hold: its own two papers, and of the extension the named files only. vsce renames three. */
const allowed =
	/^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(package\.json|readme\.md|changelog\.md|docs\/(lists|notifications|repositories|review|tickets)\.md|LICENSE(\.txt)?|media\/.+|dist\/(pages\/)?[^/]+\.js))$/;

suite('the package', () => {
	test('it holds nothing but what the extension needs', () => {
		assert.deepEqual(
			zipEntries(vsixFile).filter((name) => !allowed.test(name)),
			[],
		);
		assert.ok(zipEntries(vsixFile).includes('extension/dist/extension.js'));
		assert.equal(zipEntries(vsixFile).filter((name) => name.startsWith('extension/docs/')).length, 5);
	});
});
