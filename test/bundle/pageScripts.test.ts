import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../harness/places.ts';
import { bundleInputs } from './support/bundleInputs.ts';

const pages = globSync('src/webview/*/main.ts', { cwd: root }).map((file) => basename(dirname(file)));
const scripts = ['shared', ...pages];
const textOf = (name: string): string => readFileSync(join(root, 'dist', `${name}.js`), 'utf8');

/** What all scripts of pages may have together, unpacked. */
const limitBytes = 134_000;

suite('the scripts of pages', () => {
	test('no module stands in two of them', () => {
		const all = scripts.flatMap((name) => bundleInputs(`page-${name}`));
		const twice = all.filter((path, at) => all.indexOf(path) !== at);
		assert.deepEqual(Array.from(new Set(twice)), []);
		assert.ok(all.length > 50);
	});

	test('none holds the library that checks values: the host checks what a page sends', () => {
		for (const name of scripts) {
			assert.deepEqual(
				bundleInputs(`page-${name}`).filter((path) => path.includes('node_modules/valibot/')),
				[],
				name,
			);
		}
	});

	test('none holds what would end it where it stands in a page as text', () => {
		assert.deepEqual(
			scripts.filter((name) => /<\/script|<!--/i.test(textOf(name))),
			[],
		);
	});

	test(`together they have at most ${limitBytes / 1000} kB`, () => {
		const sizes = scripts.map((name) => Buffer.byteLength(textOf(name)));
		const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
		const shown = sizes.map((bytes, at) => `${scripts[at]} ${(bytes / 1000).toFixed(1)}`).join(', ');
		console.log(`      ${(total / 1000).toFixed(1)} kB: ${shown}`);
		assert.ok(total <= limitBytes, `${(total / 1000).toFixed(1)} kB`);
	});
});
