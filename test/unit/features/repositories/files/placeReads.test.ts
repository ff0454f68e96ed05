import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as vscode from '../../../../support/vscodeValues.ts';

const { statOf, typeOf } = await import('../../../../../src/features/repositories/files/placeReads.ts');

const commit = { id: 'c'.repeat(40), tree: 'd'.repeat(40), timestampMs: 1_700_000_000_400 };

const entry = { name: 'a', id: 'e'.repeat(40) };
const file = typeOf({ ...entry, mode: 0o100644, type: 'blob' });

suite('file stat of an entry', () => {
	test('has another mtime for another content, even with the same commit time', () => {
		const timeOf = (id: string): number => statOf(file, id.padEnd(40, '0'), commit, 3).mtime;
		assert.equal(timeOf('00000001'), 1_700_000_000_001);
		assert.equal(timeOf('00000002'), 1_700_000_000_002);
		assert.equal(timeOf('000003e8'), 1_700_000_000_000);
		assert.equal(timeOf('no id'), 1_700_000_000_000);
	});

	test('is always read-only', () => {
		const { permissions, size } = statOf(file, 'x', undefined, 7);
		assert.deepEqual([permissions, size], [vscode.FilePermission.Readonly, 7]);
	});

	test('marks symbolic links', () => {
		const { File, Directory, SymbolicLink } = vscode.FileType;
		assert.equal(typeOf({ ...entry, mode: 0o120000, type: 'blob' }), SymbolicLink + File);
		assert.equal(typeOf({ ...entry, mode: 0o100755, type: 'blob' }), File);
		assert.equal(typeOf({ ...entry, mode: 0o040000, type: 'tree' }), Directory);
	});
});
