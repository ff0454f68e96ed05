import assert from 'node:assert/strict';
import { withExactRenames, type Leaf } from '../../src/git/compareTrees.ts';

const [file, program, link] = [0o100644, 0o100755, 0o120000];

function kindsOf(before: number, after: number): readonly string[] {
	const leaf = (path: string, mode: number): Leaf => ({ path, id: 'a'.repeat(40), mode });
	return withExactRenames([
		{ kind: 'deleted', before: leaf('old', before) },
		{ kind: 'added', after: leaf('new', after) },
	]).map(({ kind }) => kind);
}

suite('exact renames', () => {
	test('pair files of any mode, but links only with links', () => {
		assert.deepEqual(kindsOf(file, program), ['renamed']);
		assert.deepEqual(kindsOf(link, link), ['renamed']);
		assert.deepEqual(kindsOf(link, file), ['deleted', 'added']);
		assert.deepEqual(kindsOf(file, link), ['deleted', 'added']);
	});
});
