import assert from 'node:assert/strict';
import type { NamedRef } from 'sourcehut/port/namedRef.ts';
import { repositoryRefOf } from '../../../../src/store/repositories/repositoryRef.ts';
import { followedRefs, type FollowedRefs } from '../../../../src/store/shared/followedRefs.ts';
import { keptNames } from '../../../support/fakeConnection.ts';

const pen: NamedRef = { owner: '~bob', name: 'pen' };
const capitals: NamedRef = { owner: '~bob', name: 'PEN' };

function followed(doesCaseCount: boolean, ...names: readonly string[]): FollowedRefs & { readonly names: typeof kept } {
	const kept = keptNames(...names);
	return { names: kept, ...followedRefs(kept, '~alice', repositoryRefOf, doesCaseCount) };
}

suite('followed names', () => {
	test('exclude own things and duplicates, by the case rule of the server', async () => {
		const exact = followed(true);
		assert.deepEqual([await exact.add(pen), await exact.add(pen), await exact.add(capitals)], [true, false, true]);
		assert.equal(await exact.add({ owner: '~alice', name: 'quill' }), false);
		assert.deepEqual(exact.all(), [pen, capitals]);
		await exact.remove(capitals);
		assert.deepEqual(exact.all(), [pen]);
		const caseless = followed(false);
		assert.deepEqual([await caseless.add(pen), await caseless.add(capitals)], [true, false]);
		await caseless.remove(capitals);
		assert.deepEqual(caseless.all(), []);
	});

	test('keep their position when renamed, without a duplicate', async () => {
		const follows = followed(true, '~bob/nib', '~bob/pen', '~bob/ink');
		await follows.rename(pen, { owner: '~bob', name: 'ink' });
		assert.deepEqual(follows.names.all(), ['~bob/nib', '~bob/ink']);
		await follows.rename(pen, capitals);
		assert.deepEqual(follows.names.all(), ['~bob/nib', '~bob/ink']);
	});

	test('keep unreadable entries of another version', async () => {
		const follows = followed(true, 'odd', '~bob/pen');
		assert.deepEqual(follows.all(), [pen]);
		await follows.remove(pen);
		assert.deepEqual(follows.names.all(), ['odd']);
	});
});
