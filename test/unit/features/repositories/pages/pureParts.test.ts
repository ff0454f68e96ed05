import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { messagePieces, type MessagePlace } from '../../../../../src/features/repositories/commit/messagePieces.ts';
import { pictureType, pictureGiver } from '../../../../../src/features/repositories/start/readmePictures.ts';
import { placeInTree, readmeIn } from '../../../../../src/features/repositories/start/readmeFile.ts';
import type { TreeEntry } from 'sourcehut/port/repository.ts';
import { idOf } from '../../../../support/fakeRepositories.ts';
import { tinyPicture } from '../../../../support/repositoryWorld.ts';
import { webOf } from '../../../../../src/editor/links/webOf.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';

const { commitMessage } = await import('../../../../../src/features/repositories/commit/openCommit.ts');

suite('choice of the README', () => {
	const entry = (name: string, mode = 0o100644): TreeEntry => ({ name, id: idOf(1), type: 'blob', mode });
	const chosen = (...entries: readonly TreeEntry[]): string | undefined =>
		readmeIn({ id: '', shortId: '', entries })?.name;

	test('prefers Markdown, in upper or lower case', () => {
		assert.equal(chosen(entry('README.rst'), entry('README'), entry('Readme.MD')), 'Readme.MD');
		assert.equal(chosen(entry('README.rst'), entry('readme')), 'readme');
	});

	test('excludes links, folders and longer names', () => {
		assert.equal(chosen(entry('README.md', 0o120000), entry('README.txt')), 'README.txt');
		assert.equal(chosen({ ...entry('README'), type: 'tree' }, entry('README.md.orig')), undefined);
	});
});

suite('links of a README', () => {
	const base = 'https://git.forge.test/~bob/quill/tree/feature/item/item/README.md';

	test('lead to the file beside it, whatever the names of revision and path', () => {
		const root = 'https://git.forge.test/~bob/quill/tree/feature/item/item/';
		assert.deepEqual(placeInTree(`${root}a%20b/item/c.md?x=1#L12-20`, base), {
			path: 'a b/item/c.md',
			lines: { first: 12, last: 20 },
		});
		assert.deepEqual(placeInTree(`${root}docs/`, base), { path: 'docs', lines: undefined });
		assert.deepEqual(placeInTree(root, base), { path: '', lines: undefined });
	});

	test('lead to no file outside the tree or with invalid text', () => {
		for (const address of [
			'https://git.forge.test/~bob/quill/log',
			'https://git.forge.test.evil.test/~bob/quill/tree/feature/item/item/x',
			'https://git.forge.test/~bob/quill/tree/feature/item/item/%ff',
		]) {
			assert.equal(placeInTree(address, base), undefined, address);
		}
	});
});

suite('pictures of a README', () => {
	const sized = (start: readonly number[], length = 64): Uint8Array => {
		const bytes = new Uint8Array(length);
		bytes.set(start);
		return bytes;
	};

	test('get their type from their bytes alone', () => {
		assert.equal(pictureType(new Uint8Array(tinyPicture)), 'image/png');
		assert.equal(pictureType(sized([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 10, 0, 10, 0])), 'image/gif');
		const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc2, 0, 17, 8, 0, 10, 0, 10];
		assert.equal(pictureType(sized(jpeg)), 'image/jpeg');
		const riff = [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38];
		assert.equal(pictureType(sized([...riff, 0x4c])), 'image/webp');
		assert.equal(pictureType(sized([...riff, 0x58])), 'image/webp');
		assert.equal(pictureType(sized([...riff, 0x20])), 'image/webp');
	});

	test('are rejected when invalid, truncated or huge', () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>';
		assert.equal(pictureType(new TextEncoder().encode(svg)), undefined);
		assert.equal(pictureType(new Uint8Array(tinyPicture).subarray(0, 20)), undefined);
		const bomb = new Uint8Array(tinyPicture);
		bomb.set([0, 0, 0x40, 0, 0, 0, 0x40, 0], 16);
		assert.equal(pictureType(bomb), undefined);
		// Blocks without any frame.
		assert.equal(pictureType(sized([0xff, 0xd8, 0xff, 0xe0, 0, 0], 100_000)), undefined);
	});

	test('stay within the limits of a page, however often a text names them', () => {
		const give = pictureGiver(new Map([['a.png', 'x'.repeat(600_000)]]));
		const given = Array.from({ length: 1000 }, () => give('a.png')).filter((each) => each !== undefined);
		assert.equal(given.length, 6);
		const giveSmall = pictureGiver(new Map([['a.png', 'x']]));
		assert.equal(
			Array.from({ length: 1000 }, () => giveSmall('a.png')).filter((each) => each !== undefined).length,
			12,
		);
	});
});

suite('message of a commit', () => {
	test('has a title, a body and trailers', () => {
		assert.deepEqual(commitMessage('\nTitle\r\n\r\n  code\r\n\r\nText\r\n\r\nA-by: x\r\n  more\r\nB: y\r\n'), {
			title: 'Title',
			body: '  code\n\nText',
			trailers: [
				{ key: 'A-by', value: 'x more' },
				{ key: 'B', value: 'y' },
			],
		});
		assert.deepEqual(commitMessage('Title'), { title: 'Title', body: '', trailers: [] });
		assert.deepEqual(commitMessage(''), { title: '', body: '', trailers: [] });
	});

	test('keeps every line that is no trailer', () => {
		const { body, trailers } = commitMessage('Title\n\nText\n\nSigned-off-by: A <a@x.test>\n[b: mended]\n');
		assert.equal(body, 'Text\n\nSigned-off-by: A <a@x.test>\n[b: mended]');
		assert.equal(trailers.length, 1);
	});

	const place: MessagePlace = {
		ref: { owner: '~bob', name: 'quill' },
		web: webOf(sampleInstance),
		knows: ({ owner, name }) => owner === '~bob' && name !== 'other',
	};
	const links = (text: string): readonly string[] =>
		messagePieces(text, place).flatMap((piece) => (piece.kind === 'link' ? [`${piece.text} ${piece.href}`] : []));

	test('links commit ids as git prints them, and no lookalikes', () => {
		const full = 'ab'.repeat(20);
		assert.deepEqual(links(`see 1a2b3c4, ${full}.`), [
			'1a2b3c4 https://git.forge.test/~bob/quill/commit/1a2b3c4',
			`${full} https://git.forge.test/~bob/quill/commit/${full}`,
		]);
		assert.deepEqual(links('defaced 20261121 1a2b3c 1a2b3c4g x-1a2b3c4 1A2B3C4'), []);
	});

	test('links tickets of known trackers only', () => {
		assert.deepEqual(links('#3, parser#4, other#5 and ~eve/x#6'), [
			'#3 https://todo.forge.test/~bob/quill/3',
			'parser#4 https://todo.forge.test/~bob/parser/4',
			'~eve/x#6 https://todo.forge.test/~eve/x/6',
		]);
	});

	test('links only a part of a flood of names', () => {
		const texts = ['a1'.repeat(100_000), '#1 '.repeat(60_000), '\n \n'.repeat(60_000), 'A: b\n'.repeat(40_000)];
		for (const text of texts) {
			const message = commitMessage(`T\n\n${text}`);
			assert.ok(messagePieces(message.body, place).length <= 2100);
		}
	});
});
