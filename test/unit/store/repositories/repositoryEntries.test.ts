import assert from 'node:assert/strict';
import {
	entryKind,
	folderOf,
	isSafeName,
	joined,
	nameOf,
	stepsOf,
} from '../../../../src/store/repositories/repositoryEntries.ts';

suite('tree entries', () => {
	test('have a kind by type, and blobs by mode', () => {
		const cases = [
			['tree', 0o040000, 'folder'],
			['blob', 0o100644, 'file'],
			['blob', 0o100755, 'executable'],
			['blob', 0o120000, 'symlink'],
			['commit', 0o160000, 'submodule'],
			// The contract has no type for it.
			['blob', 0o160000, 'submodule'],
			['other:portal', 0o100644, 'unknown'],
		] as const;
		for (const [type, mode, kind] of cases) {
			assert.equal(entryKind({ name: 'x', id: 'y', type, mode }), kind);
		}
	});

	test('accept only names of a single safe step', () => {
		for (const name of ['', '.', '..', '.git', '.Git', 'a/b', '/', 'a\\b', 'a\0b', '\uDC00']) {
			assert.equal(isSafeName(name), false, JSON.stringify(name));
		}
		for (const name of ['...', '.gitignore', 'a b', ' ', 'ü', '-x', 'CON', 'a:b', '\u202E', '%2F', '~']) {
			assert.equal(isSafeName(name), true, JSON.stringify(name));
		}
		assert.deepEqual([isSafeName('x'.repeat(1024)), isSafeName('x'.repeat(1025))], [true, false]);
	});

	test('have paths of several steps', () => {
		assert.deepEqual(stepsOf('', 3), []);
		assert.deepEqual(stepsOf('a/b/c', 3), ['a', 'b', 'c']);
		assert.equal(stepsOf('a/b/c/d', 3), undefined);
		assert.equal(stepsOf('a//b', 3), undefined);
		assert.deepEqual([joined('', 'a'), joined('a', 'b')], ['a', 'a/b']);
		assert.deepEqual([folderOf('a/b/c'), folderOf('a'), folderOf('')], ['a/b', '', '']);
		assert.deepEqual([nameOf('a/b'), nameOf('a')], ['b', 'a']);
	});
});
