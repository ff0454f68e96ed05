import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { binaryContent, type BinaryOutcome } from '../../src/patch/binaryContent.ts';
import { blobId } from '../../src/patch/blobId.ts';
import type { BinaryData } from '../../src/patch/fileDiff.ts';
import { parseDiff } from '../../src/patch/parseDiff.ts';
import { encodeBase85 } from '../support/encodeBase85.ts';

const header = 'diff --git a/i b/i\nindex 1..2 100644\nGIT binary patch\n';

function dataOf(text: string): BinaryData {
	const { content } = parseDiff(text).files[0]!;
	assert.ok(content.kind === 'binary' && content.forward !== undefined);
	return content.forward;
}

/** The result for bytes that a patch contains compressed. */
function unpacked(method: string, bytes: Uint8Array, before?: Uint8Array, size = bytes.length): BinaryOutcome {
	const text = `${header}${method} ${size}\n${encodeBase85(deflateSync(bytes))}\n`;
	return binaryContent(text, dataOf(text), before);
}

function contentOf(outcome: BinaryOutcome): string {
	return outcome.kind === 'content' ? Buffer.from(outcome.content).toString('latin1') : outcome.reason;
}

const before = Buffer.from('0123456789');

suite('binary patches', () => {
	test('decode a literal by git', () => {
		const text = `${header}literal 4\nLcmYdfNJ<6(0<Qrl\n\nliteral 3\nKcmYdfNCE%>hycU@\n\n`;
		assert.equal(contentOf(binaryContent(text, dataOf(text))), 'a\0bc');
		assert.equal(
			contentOf(binaryContent(text.replaceAll('\n', '\r\n'), dataOf(text.replaceAll('\n', '\r\n')))),
			'a\0bc',
		);
	});

	test('keep an empty file and all byte values', () => {
		assert.equal(contentOf(unpacked('literal', Buffer.alloc(0))), '');
		const all = Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 7) % 256));
		assert.equal(contentOf(unpacked('literal', all)), all.toString('latin1'));
	});

	test('apply a delta with copies of the old content and new bytes', () => {
		const delta = Buffer.from([10, 7, 0x91, 2, 3, 2, 0x61, 0x62, 0x91, 8, 2]);
		assert.equal(contentOf(unpacked('delta', delta, before)), '234ab89');
	});

	test('read copy offsets and lengths of several bytes', () => {
		const big = Buffer.from(Array.from({ length: 0x300 }, (_, at) => (at * 7) % 251));
		const delta = Buffer.from([0x80, 6, 0x82, 2, 0xb3, 0x21, 0x01, 0x02, 0x01]);
		assert.equal(contentOf(unpacked('delta', delta, big)), big.subarray(0x121, 0x121 + 0x102).toString('latin1'));
	});

	test('copy 65,536 bytes without a length', () => {
		const big = Buffer.alloc(0x1_0001, 'x');
		const delta = Buffer.from([0x81, 0x80, 4, 0x80, 0x80, 4, 0x80]);
		assert.equal(contentOf(unpacked('delta', delta, big)), 'x'.repeat(0x1_0000));
	});

	test('report a missing or different old content for a delta', () => {
		const delta = Buffer.from([10, 1, 0x90, 1]);
		assert.equal(contentOf(unpacked('delta', delta)), 'needsBefore');
		assert.equal(contentOf(unpacked('delta', delta, Buffer.from('012'))), 'wrongBefore');
	});

	for (const [name, bytes] of [
		['nothing', []],
		['only sizes', [10]],
		['an endless size', Array.from({ length: 20 }, () => 0xff)],
		['a zero instruction', [10, 1, 0]],
		['a zero instruction before others', [10, 1, 0, 1, 0x61]],
		['a copy beyond the end with the right size', [10, 2, 0x91, 8, 5]],
		['missing new bytes with the right size', [10, 1, 5, 0x61]],
		['a copy beyond the end', [10, 5, 0x91, 8, 5]],
		['a truncated copy', [10, 5, 0x91]],
		['truncated new bytes', [10, 5, 5, 0x61]],
		['less than announced', [10, 5, 1, 0x61]],
		['more than announced', [10, 1, 2, 0x61, 0x62]],
	] as const) {
		test(`reject a delta of ${name}`, () => {
			assert.equal(contentOf(unpacked('delta', Buffer.from(bytes), before)), 'badData');
		});
	}

	test('reject a wrong size and do not decompress a size over the limit', () => {
		assert.equal(contentOf(unpacked('literal', Buffer.from('abc'), undefined, 2)), 'badData');
		assert.equal(contentOf(unpacked('literal', Buffer.from('abc'), undefined, 4)), 'badData');
		assert.equal(contentOf(unpacked('literal', Buffer.from('abc'), undefined, 9_000_000)), 'tooLarge');
		assert.equal(contentOf(unpacked('delta', Buffer.from([10, 0x80, 0x80, 0x80, 0x10, 0x90, 1]), before)), 'tooLarge');
	});

	test('reject five digits that exceed four bytes', () => {
		const text = `${header}literal 3\nKcmYdf~~~~~hycU@\n\n`;
		const { damage } = parseDiff(text).files[0]!;
		assert.deepEqual(
			damage.map(({ kind }) => kind),
			['badBinary'],
		);
	});

	test('reject uncompressed data', () => {
		const text = `${header}literal 3\n${encodeBase85(Buffer.from('abc'))}\n`;
		assert.equal(contentOf(binaryContent(text, dataOf(text))), 'badData');
	});
});

suite('blob ids', () => {
	test('match git hash-object', () => {
		assert.equal(blobId(''), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
		assert.equal(blobId('hello\n'), 'ce013625030ba8dba906f756967f9e9ca394464a');
		assert.equal(blobId(Buffer.from('hello\n')), blobId('hello\n'));
		assert.equal(blobId('grüße'), blobId(Buffer.from('grüße')));
	});

	test('reject invalid digits, and accept a last line without line end', () => {
		const told = (text: string): string =>
			contentOf(binaryContent(text, { method: 'literal', size: 4, start: 0, end: text.length }));
		assert.deepEqual(['LcmYdfNJ<6(0<Qrl', '!cmYdfNJ<6(0<Qrl', 'LcmYdfNJ<6(0<Qr"', 'LcmYdfNJ<6(0<Qr\u00FF'].map(told), [
			'a\0bc',
			'badData',
			'badData',
			'badData',
		]);
	});
});
