import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../harness/places.ts';
import { bundleFacts } from './support/bundleFacts.ts';
import { loadBundle } from './support/loadBundle.ts';

/** Bundles that run in the editor's process or on a thread of it. */
const inEditor = ['extension', 'desk', 'net', 'render', 'mailParser', 'listener'];
const pages = globSync('dist/pages/*.js', { cwd: root });

/** The bundles that contain a source file with this text in its path. */
function bundlesWith(text: string, bundles: readonly string[]): readonly string[] {
	return bundles.filter((bundle) => bundleFacts(bundle).inputs.some((path) => path.includes(text)));
}

suite('bundles', () => {
	test('the eagerly loaded bundle is small and contains no package', () => {
		const { inputs, bytes } = bundleFacts('dist/extension.js');
		assert.deepEqual(
			inputs.filter((path) => path.includes('node_modules')),
			[],
		);
		assert.ok(bytes < 40_000, `${bytes} bytes`);
	});

	for (const name of inEditor) {
		test(`loading ${name}.js loads no other bundle and keeps the process’s fetch`, () => {
			// An ES module that imports `node:http` makes Node set its own dispatcher.
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

	test('no bundle for the editor contains the sample forge', () => {
		const bundles = inEditor.map((name) => `dist/${name}.js`);
		assert.deepEqual(bundlesWith('packages/sample-forge/src/', bundles), []);
		assert.deepEqual(bundlesWith('packages/sample-forge/src/', ['dist/sampleForge.js']), ['dist/sampleForge.js']);
	});

	test('only the net bundle contains the network library', () => {
		const bundles = inEditor.map((name) => `dist/${name}.js`);
		assert.deepEqual(bundlesWith('node_modules/undici/', bundles), ['dist/net.js']);
	});

	test('only the sample forge executes GraphQL', () => {
		const bundles = inEditor.map((name) => `dist/${name}.js`);
		assert.deepEqual(bundlesWith('node_modules/graphql/', bundles), []);
	});

	test('no page contains the validation library: the host checks a page’s messages', () => {
		assert.ok(pages.length > 0);
		assert.deepEqual(bundlesWith('node_modules/valibot/', pages), []);
	});

	test('no page contains text that would end its script element', () => {
		assert.deepEqual(
			pages
				.filter((page) => /<\/script|<!--/i.test(readFileSync(join(root, page), 'utf8')))
				.map((page) => basename(page)),
			[],
		);
	});
});
