import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/places.ts';
import { bundleInputs } from './support/bundleInputs.ts';
import { loadBundle } from './support/loadBundle.ts';

const hasBundle = (name: string): boolean => existsSync(join(root, 'dist', name));
const untouched = { sameFetch: true, dispatchers: [false, false] };

suite('the bundles', () => {
	test('what the editor loads at once is small and holds no package', () => {
		const packages = bundleInputs('extension').filter((path) => path.includes('node_modules'));
		assert.deepEqual(packages, []);
		assert.ok(statSync(join(root, 'dist/extension.cjs')).size < 40_000);
	});

	test('loading the extension loads no other bundle', () => {
		assert.deepEqual(loadBundle('extension.cjs'), { ...untouched, bundles: ['extension.cjs'] });
	});

	for (const name of ['desk.cjs', 'net.cjs', 'mailParser.cjs', 'listener.cjs', 'entities.cjs'].filter(hasBundle)) {
		test(`loading ${name} loads nothing else and leaves the fetch of the process alone`, () => {
			assert.deepEqual(loadBundle(name), { ...untouched, bundles: [name] });
		});
	}

	test('loading render.cjs brings the table of character references along', () => {
		assert.deepEqual(loadBundle('render.cjs'), { ...untouched, bundles: ['render.cjs', 'entities.cjs'] });
	});

	test('the table of character references is in one bundle only', () => {
		const holders = ['extension', 'desk', 'net', 'render', 'mailParser', 'listener', 'entities'].filter((name) =>
			bundleInputs(name).some((path) => path.includes('node_modules/entities/')),
		);
		assert.deepEqual(holders, ['entities']);
	});

	test('no bundle for the editor holds the sample forge', () => {
		for (const name of ['extension', 'desk', 'net', 'render', 'mailParser', 'listener'].filter((it) =>
			hasBundle(`${it}.cjs`),
		)) {
			assert.deepEqual(
				bundleInputs(name).filter((path) => path.startsWith('src/sampleForge/')),
				[],
			);
		}
	});

	test('the network library is in the bundle of that name alone', () => {
		for (const name of ['extension', 'desk', 'render', 'mailParser', 'listener'].filter((it) =>
			hasBundle(`${it}.cjs`),
		)) {
			assert.deepEqual(
				bundleInputs(name).filter((path) => path.includes('node_modules/undici/')),
				[],
			);
		}
	});
});
