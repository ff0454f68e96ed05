import assert from 'node:assert/strict';
import {
	isDevNull,
	isOpenQuote,
	isUnsafePath,
	movedPath,
	namedPath,
	pathInLine,
	quotedPath,
	strippedPath,
} from '../../src/patch/patchPath.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const paths = [
	'x', 'a/x', '.x', 'a/.x', 'x.', '..x', 'x..', 'a..b/x', '...', 'git', '.gitx', '.git-x/y', 'a/.gitignore', 'git~2/x', 'x.git/y',
	'/x', '.', '..', 'a/.', 'a/..', './x', '../x', 'a/./x', 'a/../x',
	'.git', '.git/x', 'a/.git', 'a/.git/x', '.GIT/x', 'a/.Git', 'git~1', 'a/GIT~1/x', '.git ', '.git./x', '.git . ./x', '.git:x/y',
	'.g\u200Cit/x', '\uFEFF.git', 'a\\.git\\x',
] as const; // prettier-ignore

suite('path in a diff', () => {
	test('is unsafe if git refuses it for any file system', () => {
		const script = `
			git init -q in; cd in; blob=$(git hash-object -w --stdin </dev/null)
			while IFS= read -r path; do
				git -c core.protectHFS=true -c core.protectNTFS=true update-index --add --cacheinfo "100644,$blob,$path" 2>>../words &&
					printf '%s\\n' "$path"
				git read-tree --empty
			done <../paths; true`;
		const [result] = runCases(script, [{ paths: paths.map((path) => `${path}\n`).join('') }]);
		const safe = result?.stdout.toString().split('\n').slice(0, -1);
		assert.deepEqual(
			paths.filter((path) => !isUnsafePath(path)),
			safe,
		);
		assert.equal(isUnsafePath('x/'), true);
	});

	test('has git’s escapes resolved', () => {
		const read = (line: string, at = 0): unknown => {
			const quoted = quotedPath(line, at);
			return quoted && [quoted.path, quoted.end];
		};
		assert.deepEqual(read('"\\a\\b\\t\\n\\v\\f\\r\\"\\\\"'), ['\u0007\b\t\n\v\f\r"\\', 20]);
		assert.deepEqual(read('"gr\\303\\274n\\0601"'), ['grün01', 18]);
		assert.deepEqual(read('"\uFEFFx" y'), ['\uFEFFx', 4]);
		assert.deepEqual(read('--- "a/x" "b"', 4), ['a/x', 9]);
		assert.deepEqual(read('""'), ['', 2]);
		for (const line of ['x', '"x', '"\\x"', '"\\477"', '"\\08"', '"\\12', '"\\', '"x\\"', '']) {
			assert.equal(read(line), undefined, line);
		}
		assert.deepEqual(
			['"x\ny"', '"x"\ny"', '"x\ny', 'x\ny"'].map((text) => isOpenQuote(text, 0)),
			[true, false, false, false],
		);
	});

	test('loses one folder, empty folders, and a time behind a tab', () => {
		assert.deepEqual(
			(['a/x', 'x', 'a/', 'a//x///y', '/x'] as const).map((path) => [strippedPath(path, 1), strippedPath(path, 0)]),
			[
				['x', 'a/x'],
				['x', 'x'],
				['a/', 'a/'],
				['/x/y', 'a/x/y'],
				['x', '/x'],
			],
		);
		const inLine = ['a/x', '"a/x"', 'a/x\t2020', 'a/x\r', 'x', '"x"', '', '""', 'a/'];
		assert.deepEqual(
			inLine.map((name) => pathInLine(`--- ${name}`, 4, 1)),
			['x', 'x', 'x', 'x', 'x', 'x', undefined, undefined, 'a/'],
		);
		assert.deepEqual(
			inLine.map((name) => namedPath(`--- ${name}`, 4, 1)),
			['x', 'x', 'x', 'x', undefined, undefined, undefined, undefined, undefined],
		);
		assert.deepEqual(
			inLine.map((name) => namedPath(`--- ${name}`, 4, 0)),
			['a/x', 'a/x', 'a/x', 'a/x', 'x', 'x', undefined, undefined, 'a/'],
		);
		assert.deepEqual(
			['x', 'a//x', '"a/x"', 'x\ty', '', '""'].map((name) => movedPath(`rename to ${name}`, 10)),
			['x', 'a/x', 'a/x', 'x\ty', undefined, undefined],
		);
	});

	test('may be /dev/null', () => {
		assert.deepEqual(
			['/dev/null', '/dev/null\t2020', '/dev/null x', '/dev/null\n', '/dev/nullx', 'dev/null', '/dev/nul'].map((name) =>
				isDevNull(`--- ${name}`, 4),
			),
			[true, true, true, true, false, false, false],
		);
	});
});
