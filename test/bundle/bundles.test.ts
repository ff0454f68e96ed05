import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../harness/places.ts';
import { bundleFacts } from './support/bundleFacts.ts';
import { loadBundle } from './support/loadBundle.ts';

/** Bundles that run in the editor's process or a thread of it. */
const inEditor = ['extension', 'desk', 'net', 'render', 'mailParser', 'listener'];
const pages = globSync('dist/pages/*.js', { cwd: root });

/** The bundles that hold a source file whose path contains this text. */
function bundlesWith(text: string, bundles: readonly string[]): readonly string[] {
	return bundles.filter((bundle) => bundleFacts(bundle).inputs.some((path) => path.includes(text)));
}

suite('the bundles', () => {
	test('what the editor loads at once is small and holds no package', () => {
		const { inputs, bytes } = bundleFacts('dist/extension.js');
		assert.deepEqual(
			inputs.filter((path) => path.includes('node_modules')),
			[],
		);
		assert.ok(bytes < 40_000, `${bytes} bytes`);
	});

	for (const name of inEditor) {
		test(`loading ${name}.js loads no other bundle and leaves the fetch of the process alone`, () => {
			// An ES module that imports `node:http` makes Node set a dispatcher of its own.
			const isSet = name === 'listener';
			const { sameFetch, dispatchers, bundles } = loadBundle(`${name}.js`);
			assert.deepEqual(
				{ sameFetch, dispatchers, bundles },
				{ sameFetch: true, dispatchers: [isSet, isSet], bundles: [`${name}.js`] },
			);
		});
	}

	test('activation registers everything, connects nowhere and imports no network module', () => {
		const { registered, connections, builtins } = loadBundle('extension.js');
		assert.ok(registered > 50, `${registered} registrations`);
		assert.equal(connections, 0);
		assert.deepEqual(
			builtins.filter((name) => /^node:(?:net|tls|https?|http2|dns)$/.test(name)),
			[],
		);
	});

	test('no bundle for the editor holds the sample forge', () => {
		const bundles = inEditor.map((name) => `dist/${name}.js`);
		assert.deepEqual(bundlesWith('packages/sample-forge/src/', bundles), []);
		assert.deepEqual(bundlesWith('packages/sample-forge/src/', ['dist/sampleForge.js']), ['dist/sampleForge.js']);
	});

	test('the network library is in the bundle of that name alone', () => {
		const bundles = inEditor.map((name) => `dist/${name}.js`);
		assert.deepEqual(bundlesWith('node_modules/undici/', bundles), ['dist/net.js']);
	});

	test('GraphQL is executed in the sample forge alone', () => {
		const bundles = inEditor.map((name) => `dist/${name}.js`);
		assert.deepEqual(bundlesWith('node_modules/graphql/', bundles), []);
	});

	test('no page holds the library that checks values: the host checks what a page sends', () => {
		assert.ok(pages.length > 0);
		assert.deepEqual(bundlesWith('node_modules/valibot/', pages), []);
	});

	test('no page holds text that would end its script element', () => {
		assert.deepEqual(
			pages
				.filter((page) => /<\/script|<!--/i.test(readFileSync(join(root, page), 'utf8')))
				.map((page) => basename(page)),
			[],
		);
	});
});
