import assert from 'node:assert/strict';
import * as v from 'valibot';
import { billOfMaterials, listedPackages } from '../../harness/billOfMaterials.ts';

const refs = ['desk@1.0.0', 'parser@2.0.0', 'words@3.0.0', 'compiler@4.0.0', 'arguments@5.0.0', 'linter@6.0.0'];

/** Output of npm: the parser depends on a helper, an optional peer and a part of its command line. */
const printed = JSON.stringify({
	serialNumber: 'random',
	metadata: { tools: [], timestamp: 'now', component: { 'bom-ref': 'desk@1.0.0', name: 'folder' } },
	components: refs.slice(1).map((ref) => ({ 'bom-ref': ref })),
	dependencies: [
		{ ref: 'desk@1.0.0', dependsOn: ['parser@2.0.0', 'linter@6.0.0'] },
		{ ref: 'parser@2.0.0', dependsOn: ['words@3.0.0', 'compiler@4.0.0', 'arguments@5.0.0'] },
		{ ref: 'words@3.0.0', dependsOn: [] },
	],
});

suite('bill of materials', () => {
	const bill = billOfMaterials({ printed, shipped: ['parser@2.0.0', 'words@3.0.0'], epochS: 0 });

	test('lists only the bundled packages', () => {
		assert.deepEqual(listedPackages(bill), ['parser@2.0.0', 'words@3.0.0']);
		const { dependencies } = v.parse(v.object({ dependencies: v.unknown() }), JSON.parse(bill));
		assert.deepEqual(dependencies, [
			{ ref: 'desk@1.0.0', dependsOn: ['parser@2.0.0'] },
			{ ref: 'parser@2.0.0', dependsOn: ['words@3.0.0'] },
			{ ref: 'words@3.0.0', dependsOn: [] },
		]);
	});

	test('has nothing that differs between clones', () => {
		assert.doesNotMatch(bill, /random|now|folder|tools/);
	});
});
