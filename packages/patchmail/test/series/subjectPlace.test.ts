import assert from 'node:assert/strict';
import { subjectPlace } from '../../src/series/subjectPlace.ts';

/** The parts of a place: prefix, version, number with `?` if it is implied, title, and the text in the brackets. */
function read(subject: string): readonly unknown[] | undefined {
	const place = subjectPlace(subject);
	return (
		place && [
			place.prefix,
			place.version,
			`${place.index}/${place.count}${place.isNumbered ? '' : '?'}`,
			place.subject,
			place.tag,
		]
	);
}

suite('place in a patch subject', () => {
	test('is read from words in any order and number of brackets', () => {
		for (const [subject, prefix, version, number, title, tag] of [
			['[PATCH] x', '', 1, '1/1?', 'x', 'PATCH'],
			['  [patch proj  sub v12 10/12]x y ', 'proj sub', 12, '10/12', 'x y', 'patch proj  sub v12 10/12'],
			['Re: [ PATCH V2 ] x', '', 2, '1/1?', 'x', 'PATCH V2'],
			['[PATCH 0/3] x', '', 1, '0/3', 'x', 'PATCH 0/3'],
			['[PATCHv12] x', '', 12, '1/1?', 'x', 'PATCHv12'],
			['[PATCH12/34] x', '', 1, '12/34', 'x', 'PATCH12/34'],
			['[PATCH-for-9 v2] x', 'for-9', 2, '1/1?', 'x', 'PATCH-for-9 v2'],
			['[PATCH proj,v2,,1/2] x', 'proj', 2, '1/2', 'x', 'PATCH proj,v2,,1/2'],
			['[PATCH 1/2 v2 proj] x', 'proj', 2, '1/2', 'x', 'PATCH 1/2 v2 proj'],
			['[PATCH 10  of \t12] x', '', 1, '10/12', 'x', 'PATCH 10  of \t12'],
			['[RFC PATCH proj] x', 'proj', 1, '1/1?', 'x', 'RFC PATCH proj'],
			['[PATCH RFC proj] x', 'RFC proj', 1, '1/1?', 'x', 'PATCH RFC proj'],
			['[proj PATCH] x', 'proj', 1, '1/1?', 'x', 'proj PATCH'],
			['[rfc v2 1/3] x', '', 2, '1/3', 'x', 'rfc v2 1/3'],
			// Other brackets: a version or a number counts, and those after the last patch tag belong to the title.
			['[list v3] [PATCH v2 2/3] x', '', 2, '2/3', 'x', 'PATCH v2 2/3'],
			['[2/3] [v3] [] [PATCH] x', '', 3, '2/3', 'x', 'PATCH'],
			['[PATCH] [v2] [area] x', '', 2, '1/1?', '[area] x', 'PATCH'],
			['[PATCH] [v2 x] y', '', 1, '1/1?', '[v2 x] y', 'PATCH'],
			['[PATCH] [RFC v2] x', '', 1, '1/1?', 'x', 'PATCH'],
			['[a][b][c][d][e][f][g][PATCH] x', '', 1, '1/1?', 'x', 'PATCH'],
			// Words that only look like a version or number.
			['[PATCH v2x xv2 x1/2 1/2x] y', 'v2x xv2 x1/2 1/2x', 1, '1/1?', 'y', 'PATCH v2x xv2 x1/2 1/2x'],
			['[PATCH 1of3] x', '1of3', 1, '1/1?', 'x', 'PATCH 1of3'],
			['[PATCH x1 of 3] x', 'x1 of 3', 1, '1/1?', 'x', 'PATCH x1 of 3'],
			['[PATCH 1 of 3x] x', '1 of 3x', 1, '1/1?', 'x', 'PATCH 1 of 3x'],
		] as const) {
			assert.deepEqual(read(subject), [prefix, version, number, title, tag], subject);
		}
		assert.equal(read(`[PATCH ${'x'.repeat(292)}] y`)?.[0], 'x'.repeat(292));
	});

	test('is undefined without PATCH in leading brackets', () => {
		for (const subject of [
			'x',
			'x [PATCH] y',
			'[PATCH x',
			'xPATCH] y',
			'[xPATCH] x',
			'[PATCHx] x',
			'[PATCHv2x] x',
			'[RFC] x',
			'[RFC proj] x',
			'[proj RFC v2] x',
			'[] x',
			'[v2 1/3] x',
			'[a][b][c][d][e][f][g][h][PATCH] x',
			`[PATCH ${'x'.repeat(293)}] y`,
		]) {
			assert.equal(read(subject), undefined, subject);
		}
	});

	test('needs a diff for a version, a number or RFC without PATCH', () => {
		for (const [subject, prefix, version, number, title, tag] of [
			['[V2 1/4] x', '', 2, '1/4', 'x', 'V2 1/4'],
			['[v3] x', '', 3, '1/1?', 'x', 'v3'],
			['[2/3] x', '', 1, '2/3', 'x', '2/3'],
			['[RFC] x', '', 1, '1/1?', 'x', 'RFC'],
			['[proj RFC v2] x', 'proj RFC', 2, '1/1?', 'x', 'proj RFC v2'],
			['[LTP] [RFC] x', '', 1, '1/1?', 'x', 'RFC'],
			['[net-next v2 3/4] x', 'net-next', 2, '3/4', 'x', 'net-next v2 3/4'],
			['[PULL 3/4] x', 'PULL', 1, '3/4', 'x', 'PULL 3/4'],
			['[RESEND] x', 'RESEND', 1, '1/1?', 'x', 'RESEND'],
			['[PATCH] [v2 x] y', '', 1, '1/1?', '[v2 x] y', 'PATCH'],
		] as const) {
			const place = subjectPlace(subject, true);
			const found = place && [
				place.prefix,
				place.version,
				`${place.index}/${place.count}${place.isNumbered ? '' : '?'}`,
			];
			assert.deepEqual([...(found ?? []), place?.subject, place?.tag], [prefix, version, number, title, tag], subject);
			assert.equal(subjectPlace(subject) === undefined, !subject.startsWith('[PATCH]'), subject);
		}
		assert.equal(subjectPlace('[LTP] x', true), undefined);
		assert.deepEqual(read('[RFCv2] x'), ['', 2, '1/1?', 'x', 'RFCv2']);
		assert.deepEqual(read('[RFC/PATCH 1/2] x'), ['', 1, '1/2', 'x', 'RFC/PATCH 1/2']);
		assert.deepEqual(read('[v2 00/12] x'), ['', 2, '0/12', 'x', 'v2 00/12']);
	});

	test('is disordered if git writes it with no prefix of a sender', () => {
		for (const [subject, isDisordered] of [
			['[PATCH proj v2 1/2] x', false],
			['[RFC PATCH] x', false],
			['[LTP] [PATCH v2] x', false],
			['[list 123] [Bug 4] [PATCH v2 1/2] x', false],
			['Re: [LTP] [PATCH v2] x', false],
			['[PATCH v2 proj] x', false],
			['[proj PATCH v2 1/2] x', false],
			['[PATCH proj,sub] x', false],
			['[PATCHv2 1/2] x', false],
			['[[PATCH v2] 1/2] x', false],
			['[PATCH 1 of 2] x', false],
			['[PATCH 1/2 v2] x', true],
			['[PATCH v2,1/2] x', true],
			['[PATCH] [v2] x', true],
			['[PATCH] [1/2] x', true],
			['[LTP] [1/2] [PATCH] x', true],
			['[LTP] [PATCH] [PATCH 3/3] x', false],
			['[PATCH] [LTP] [PATCH v2 3/3] x', false],
			['[PATCH] [PATCH 3/3 v2] x', true],
			['[PATCH (v2) 3/3] x', false],
			['[PATCH 3/3] (v2) x', true],
		] as const) {
			assert.equal(subjectPlace(subject)?.isDisordered, isDisordered, subject);
		}
	});

	test('is misread by a forge, unless a list wrote before the brackets', () => {
		for (const [subject, isMisread] of [
			['[PATCH proj v2 1/2] x', false],
			['[RFC PATCH proj] x', false],
			['[RFC v2] x', false],
			['[LTP] [PATCH v2] x', false],
			['[list 123] [Bug 4] [PATCH v2 1/2] x', false],
			['Re: [LTP] [PATCH v2] x', false],
			['[PATCH proj,sub] x', false],
			['[PATCH v2 proj] x', true],
			['[proj PATCH v2 1/2] x', true],
			['[PATCHv2 1/2] x', true],
			['[PATCH 1 of 2] x', true],
			['[PATCH] [PATCH 3/3] x', true],
		] as const) {
			assert.equal(subjectPlace(subject)?.isMisread, isMisread, subject);
		}
	});

	test('is a reply after a mark, but not after blanks', () => {
		for (const [subject, isReply] of [
			[' [PATCH] x ', false],
			['Re: [PATCH] x', true],
			['AW: [PATCH] x', true],
		] as const) {
			assert.equal(subjectPlace(subject)?.isReply, isReply, subject);
		}
	});
});
