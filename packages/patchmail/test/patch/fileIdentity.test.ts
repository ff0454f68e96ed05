import assert from 'node:assert/strict';
import { fileIdentity } from '../../src/patch/fileIdentity.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { editLine, numberedLines } from '../../../../test/support/editedFile.ts';

function identityOf(diff: string, path?: string): string {
	const { files } = parseDiff(diff);
	const file = files.find(({ newPath }) => path === undefined || newPath === path) ?? assert.fail(diff);
	return fileIdentity(diff, file);
}

const text = numberedLines('one');
const { diff } = editLine('src/one.c', text, 20, '\tif (x)');

suite('identity of a file change', () => {
	test('is the same in another mail with other ids and line numbers', () => {
		const later = `Prose.\n---\n${editLine('src/two.c', text, 9, 'two').diff}${diff
			.replace(/^index .*$/m, 'index 1234567..89abcde 100644')
			.replace('@@ -17,7 +17,7 @@', '@@ -117,7 +120,7 @@ int main(void)')}-- \n2.39.5\n`;
		assert.equal(identityOf(later, 'src/one.c'), identityOf(diff));
	});

	test('differs for any other line, path, mode or blank', () => {
		const others = [
			diff.replace('+\tif (x)', '+\tif (y)'),
			diff.replace('+\tif (x)', '+if (x)'),
			diff.replace(' one 19', ' one 19 '),
			diff.replaceAll('src/one.c', 'src/other.c'),
			diff.replace('index', 'old mode 100644\nnew mode 100755\nindex').replace(' 100644\n---', '\n---'),
		].map((each) => identityOf(each));
		assert.equal(new Set([identityOf(diff), ...others]).size, 6);
	});

	test('covers the whole text of damaged diffs and binary notices', () => {
		const cut = diff.split('\n').slice(0, 8).join('\n');
		assert.notEqual(identityOf(`${cut}\n`), identityOf(`${cut}x\n`));
		const binary = (id: string): string =>
			`diff --git a/a.png b/a.png\nindex 1111111..${id} 100644\nBinary files a/a.png and b/a.png differ\n`;
		assert.notEqual(identityOf(binary('2222222')), identityOf(binary('3333333')));
	});

	test('ignores the ids of binary data and covers the whole text of a merge', () => {
		const binary = (id: string, data: string): string =>
			`diff --git a/i b/i\nindex ${id.repeat(40)}..${'2'.repeat(40)} 100644\nGIT binary patch\nliteral 4\n${data}\n\nliteral 3\nKcmYdfNCE%>hycU@\n\n`;
		const same = 'LcmYdfNJ<6(0<Qrl';
		assert.equal(identityOf(binary('1', same)), identityOf(binary('3', same)));
		assert.notEqual(identityOf(binary('1', same)), identityOf(binary('1', 'KcmYdfNCE%>hycU@')));
		const merge = (line: string): string => `diff --cc x\nindex 1,2..3\n@@@ -1 -1 +1 @@@\n- a\n -b\n++${line}\n`;
		assert.equal(identityOf(merge('c')), identityOf(merge('c')));
		assert.notEqual(identityOf(merge('c')), identityOf(merge('d')));
	});
});
