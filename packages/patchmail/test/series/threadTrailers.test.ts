import assert from 'node:assert/strict';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { readSeries } from '../../src/series/series.ts';
import type { GivenTrailer, SeriesMail } from '../../src/series/seriesReading.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';
import { isOwnTrailer, senderKey } from '../../src/series/ownTrailer.ts';

const signed = 'Signed-off-by: Bob Builder <bob@forge.test>';
const cover = makeSeriesMail({ id: 1, subject: '[PATCH proj 0/2] all', body: 'About.\n' });
const first = makeSeriesMail({
	id: 2,
	parentId: 1,
	subject: '[PATCH proj 1/2] a',
	body: patchText('a.c', `Why.\n\n${signed}`),
});
const second = makeSeriesMail({ id: 3, parentId: 1, subject: '[PATCH proj 2/2] b', body: patchText('b.c') });
const parts = [cover, first, second];

/** A reply to mail `parentId`. */
function answer(id: number, parentId: number, body: string, from = 'dave@forge.test'): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: [PATCH proj] x', body, from });
}

/** Trailers outside the patches, by the fields that a test needs. */
function given(...answers: readonly SeriesMail[]): readonly (readonly [string, string, readonly number[], number])[] {
	return trailersOf(...answers)
		.filter(({ isInPatch }) => !isInPatch)
		.map(({ key, value, patchIndexes, mailId }) => [key, value, patchIndexes, mailId]);
}

function trailersOf(...answers: readonly SeriesMail[]): readonly GivenTrailer[] {
	return trailersOfThread([...parts, ...answers], readSeries(parts));
}

const dave = 'Dave Okafor <dave@forge.test>';

suite('trailers of a conversation', () => {
	test('a reply to a patch counts for that patch, and a reply to the cover letter for all', () => {
		const [, ...others] = trailersOf(answer(4, 3, `Fine.\n\nReviewed-by: ${dave}\n`));
		const person = { name: 'Dave Okafor', address: 'dave@forge.test' };
		const line = { key: 'Reviewed-by', value: dave, person, mailId: 4, patchIndexes: [2] };
		assert.deepEqual(others, [{ ...line, isInPatch: false, isForOther: false, isOnlyToGit: false }]);
		assert.deepEqual(given(answer(4, 1, `Acked-by: ${dave}\n`)), [['Acked-by', dave, [1, 2], 4]]);
	});

	test('a reply to a reply counts for the same patches as its parent', () => {
		assert.deepEqual(given(answer(4, 3, 'Hm?\n'), answer(5, 4, `Yes.\nTested-by: ${dave}\n`)), [
			['Tested-by', dave, [2], 5],
		]);
	});

	test('a reply without a parent is placed by its References', () => {
		const mail = makeSeriesMail({
			id: 4,
			subject: 'Re: [PATCH proj 2/2] b',
			reading: makeReading({ body: `Tested-by: ${dave}\n`, references: ['<m1@forge.test>', '<m3@forge.test>'] }),
		});
		assert.deepEqual(given(mail), [['Tested-by', dave, [2], 4]]);
	});

	test('a trailer in a patch is in doubt only if it is a sign-off by someone other than the author', () => {
		const message = [`Reviewed-by: ${dave}`, signed, 'Signed-off-by: Eve <eve@forge.test>'].join('\n');
		const body = `From: Bob Builder <bob@forge.test>\n\n${patchText('a.c', `Why.\n\n${message}`)}`;
		const viaList = makeSeriesMail({ id: 2, subject: '[PATCH] a', body, from: 'list@forge.test' });
		assert.deepEqual(
			trailersOfThread([viaList], readSeries([viaList])).map(({ value, isForOther }) => [value, isForOther]),
			[
				[dave, false],
				['Bob Builder <bob@forge.test>', false],
				['Eve <eve@forge.test>', true],
			],
		);
	});

	test('a reply with a missing parent is placed by its subject', () => {
		const lost = { parentId: 99, body: `Fine.\n\nReviewed-by: ${dave}\n`, from: 'dave@forge.test' };
		const toPatch = makeSeriesMail({ ...lost, id: 4, subject: 'Re: [PATCH proj 2/2]  B' });
		const toCover = makeSeriesMail({ ...lost, id: 5, subject: 'RE: [PATCH proj 0/2] all' });
		const toOther = makeSeriesMail({ ...lost, id: 6, subject: 'Re: [PATCH proj v2 2/2] b' });
		assert.deepEqual(
			[given(toPatch), given(toCover), given(toOther)],
			[[['Reviewed-by', dave, [2], 4]], [['Reviewed-by', dave, [1, 2], 5]], []],
		);
	});

	test('a reply without "Re:" has a quotation and no diff, or repeats the subject of its parent', () => {
		const quoting = `On Monday, Bob wrote:\n> +int b;\n\nReviewed-by: ${dave}\n`;
		const mails = [
			{ subject: '[PATCH proj 2/2] b', body: quoting, parentId: 3 },
			{ subject: '[PATCH proj 2/2] b', body: `Reviewed-by: ${dave}\n`, parentId: 3 },
			{ subject: '[PATCH proj] something else', body: quoting, parentId: 3 },
			{ subject: '[PATCH proj 0/2] all', body: quoting, parentId: 1 },
		].map((mail, at) => makeSeriesMail({ ...mail, id: 4 + at, from: 'dave@forge.test' }));
		assert.deepEqual(
			mails.map((mail) => given(mail).map(([, , indexes]) => indexes)),
			[[[2]], [[2]], [[2]], [[1, 2]]],
		);
		for (const body of [patchText('b.c', `Reviewed-by: ${dave}`), `Hello.\n\nReviewed-by: ${dave}\n`]) {
			const patch = makeSeriesMail({ id: 4, parentId: 3, subject: '[PATCH proj v2 2/2] b', body });
			assert.deepEqual(given(patch), [], 'a patch or cover letter of another version');
		}
	});

	test('a reply to another version or outside the series counts for nothing', () => {
		const other = makeSeriesMail({ id: 4, parentId: 1, subject: '[PATCH proj v2 1/1] a', body: patchText('a.c') });
		assert.deepEqual(given(other, answer(5, 4, `Reviewed-by: ${dave}\n`)), []);
		assert.deepEqual(given(answer(5, 99, `Reviewed-by: ${dave}\n`)), []);
	});

	test('circular replies count for nothing, and reading ends', () => {
		assert.deepEqual(given(answer(5, 6, `Reviewed-by: ${dave}\n`), answer(6, 5, `Reviewed-by: ${dave}\n`)), []);
	});

	test('quoted lines, signatures, diffs and original mails below count for nothing', () => {
		const bodies = [
			`> Reviewed-by: ${dave}\n`,
			` > Reviewed-by: ${dave}\n`,
			`Hi.\n-- \nReviewed-by: ${dave}\n`,
			`diff --git a/a b/a\nReviewed-by: ${dave}\n`,
			`-----Original Message-----\nReviewed-by: ${dave}\n`,
			`I would say Reviewed-by: ${dave}\n`,
			`Also Reviewed-by: ${dave}\n`,
			`${' '.repeat(9)}Reviewed-by: ${dave}\n`,
			'Reviewed-by:\n',
		];
		bodies.forEach((body) => assert.deepEqual(given(answer(4, 1, body)), [], body));
	});

	test('every trailer that ends in -by counts, in any case', () => {
		const body = 'reviewed-BY: a <a@b.test>\nCo-Developed-By:b <b@b.test>\nNaked-by: c <c@b.test>\nSeen-by : d\n';
		assert.deepEqual(
			given(answer(4, 2, body)).map(([key, value]) => [key, value]),
			[
				['Reviewed-by', 'a <a@b.test>'],
				['Co-developed-by', 'b <b@b.test>'],
				['NAKed-by', 'c <c@b.test>'],
				['Seen-by', 'd'],
			],
		);
	});

	test('a value may have its address wrapped onto the next line', () => {
		assert.deepEqual(given(answer(4, 2, 'Reviewed-by: Dave Okafor\n <dave@forge.test>\n')), [
			['Reviewed-by', dave, [1], 4],
		]);
	});

	test('a repeated trailer counts once, and only for patches without it', () => {
		assert.deepEqual(
			given(
				answer(4, 2, `Reviewed-by: ${dave}\n`),
				answer(5, 1, 'Reviewed-by: D. Okafor <DAVE@forge.test>\n'),
				answer(6, 3, `Reviewed-by: ${dave}\n`),
			),
			[
				['Reviewed-by', dave, [1], 4],
				['Reviewed-by', 'D. Okafor <DAVE@forge.test>', [2], 5],
			],
		);
	});

	test('a trailer already in a patch is marked and not listed again', () => {
		const [own, ...others] = trailersOf(answer(4, 2, `${signed}\n`));
		assert.deepEqual(
			{ ...own, person: undefined },
			{
				key: 'Signed-off-by',
				value: 'Bob Builder <bob@forge.test>',
				person: undefined,
				mailId: 2,
				patchIndexes: [1],
				isInPatch: true,
				isForOther: false,
				isOnlyToGit: false,
			},
		);
		assert.deepEqual(others, []);
	});

	test('a trailer that names another person than the sender is marked', () => {
		const isForOther = (from: string, value = dave): boolean | undefined =>
			trailersOf(answer(4, 3, `Reviewed-by: ${value}\n`, from)).find(({ mailId }) => mailId === 4)?.isForOther;
		assert.equal(isForOther('dave@forge.test'), false);
		assert.equal(isForOther('Dave@Forge.test'), false);
		assert.equal(isForOther('mallory@evil.test'), true);
		assert.equal(isForOther('mallory@evil.test', 'Dave'), true);
	});

	test('a trailer for another person does not replace that person’s own later trailer', () => {
		const forged = answer(4, 1, `Reviewed-by: ${dave}\n`, 'mallory@evil.test');
		assert.deepEqual(given(forged, answer(5, 3, `Reviewed-by: ${dave}\n`)), [
			['Reviewed-by', dave, [1], 4],
			['Reviewed-by', dave, [2], 5],
		]);
	});

	test('the order of mails does not matter', () => {
		const answers = [answer(4, 2, `Reviewed-by: ${dave}\n`), answer(5, 1, `Reviewed-by: ${dave}\n`)];
		const series = readSeries(parts);
		assert.deepEqual(trailersOfThread([...answers.toReversed(), ...parts], series), trailersOf(...answers));
	});

	test('a trailer is the sender’s own only if it names exactly the sender’s address', () => {
		const isForOther = (value: string, change: Partial<ReadableMail>): boolean | undefined =>
			trailersOf(
				makeSeriesMail({
					id: 4,
					parentId: 3,
					subject: 'Re: [PATCH proj] x',
					reading: makeReading({ body: `Reviewed-by: ${value}\n`, ...change }),
				}),
			).find(({ mailId }) => mailId === 4)?.isForOther;
		const alice = { name: 'Alice', address: 'alice@forge.test' };
		const mallory = { name: 'Alice', address: 'mallory@evil.test' };
		const own = 'Alice <alice@forge.test>';
		assert.equal(isForOther(own, { from: [alice] }), false);
		assert.equal(isForOther(`${own} # on arm64`, { from: [alice] }), false);
		assert.equal(isForOther('alice@forge.test', { from: [alice] }), false);
		assert.equal(isForOther(`${own} # or bob@forge.test`, { from: [alice] }), true);
		assert.equal(isForOther('Alice', { from: [mallory] }), true, 'a name is no proof');
		assert.equal(isForOther(own, { from: [mallory, alice] }), true, 'several senders');
		assert.equal(isForOther(own, { from: [alice], cautions: [{ kind: 'severalSenders' }] }), true);
		for (const value of [
			`mallory@evil.test (${own})`,
			`"${own}" <mallory@evil.test>`,
			`mallory@evil.test ${own}`,
			`<mallory@evil.test> # ${own}`,
			`${own} <mallory@evil.test>`,
		]) {
			assert.equal(isForOther(value, { from: [mallory] }), true, value);
		}
	});

	test('a claim in the patch does not replace a person’s own trailer, but is marked as in the patch', () => {
		const claimed = makeSeriesMail({
			id: 2,
			parentId: 1,
			subject: '[PATCH proj 1/2] a',
			body: patchText('a.c', `Why.\n\nReviewed-by: ${dave}`),
		});
		const given = [cover, claimed, second, answer(4, 1, `Reviewed-by: ${dave}\n`)];
		const all = trailersOfThread(given, readSeries([cover, claimed, second]));
		assert.deepEqual(
			all.map(({ mailId, patchIndexes, isInPatch, isForOther }) => [mailId, patchIndexes, isInPatch, isForOther]),
			[
				[4, [1], true, false],
				[4, [2], false, false],
			],
		);
	});

	test('many trailers are cut off per sender, so that others still count', () => {
		const flood = Array.from({ length: 30 }, (_, at) =>
			answer(
				10 + at,
				1,
				Array.from({ length: 200 }, (__, line) => `Acked-by: N <n${at}.${line}@evil.test>\n`).join(''),
				`m${at % 3}@evil.test`,
			),
		);
		const all = given(...flood, answer(99, 3, `Reviewed-by: ${dave}\n`));
		assert.equal(all.length, 3 * 60 + 1);
		assert.deepEqual(all.at(-1), ['Reviewed-by', dave, [2], 99]);
	});

	test('of many mails are cut off after 400', () => {
		const flood = Array.from({ length: 8 }, (_, at) =>
			answer(
				10 + at,
				1,
				Array.from({ length: 60 }, (__, line) => `Acked-by: N <n${at}.${line}@evil.test>\n`).join(''),
				`m${at}@evil.test`,
			),
		);
		assert.equal(given(...flood).length, 400);
	});

	test('of mails that answer another series do not count as a flood', () => {
		const lines = Array.from({ length: 60 }, (_, at) => `Acked-by: N <n${at}@forge.test>\n`).join('');
		assert.deepEqual(given(answer(4, 99, lines), answer(5, 3, `Reviewed-by: ${dave}\n`)), [
			['Reviewed-by', dave, [2], 5],
		]);
	});

	test('of the cover letter count for all patches, even if the thread lacks it', () => {
		const own = makeSeriesMail({
			id: 1,
			subject: cover.subject,
			body: `About.\n\nAcked-by: ${dave}\n`,
			from: 'dave@forge.test',
		});
		const all = trailersOfThread([first, second], readSeries([own, first, second]));
		assert.deepEqual(
			all.map(({ key, patchIndexes, mailId, isForOther }) => [key, patchIndexes, mailId, isForOther]),
			[
				['Signed-off-by', [1], 2, false],
				['Acked-by', [1, 2], 1, false],
			],
		);
	});

	test('that only git reads in a patch are in doubt, and a person’s own trailer replaces them', () => {
		const series = readSeries(parts);
		const tested = `Tested-by: ${dave}`;
		const lines = [signed, tested, 'Signed-off-by: Eve <eve@evil.test>', 'Acked-by: Bob Builder <bob@forge.test>'];
		const patches = series.patches.map((each) =>
			each.index === 1 ? { ...each, patch: { ...each.patch, gitMessage: lines.join('\n') } } : each,
		);
		const read = (...answers: readonly SeriesMail[]): readonly (readonly unknown[])[] =>
			trailersOfThread([...parts, ...answers], { ...series, patches }).map(
				({ key, person, mailId, isInPatch, isForOther, isOnlyToGit }) => [
					`${key}: ${person.address}`,
					mailId,
					isInPatch,
					isForOther,
					isOnlyToGit,
				],
			);
		const [shown, ...hidden] = [
			['Signed-off-by: bob@forge.test', 2, true, false, false],
			['Tested-by: dave@forge.test', 2, true, true, true],
			['Signed-off-by: eve@evil.test', 2, true, true, true],
			['Acked-by: bob@forge.test', 2, true, true, true],
		];
		assert.deepEqual(read(), [shown, ...hidden]);
		assert.deepEqual(read(answer(4, 2, `${tested}\n`)), [
			shown,
			...hidden.slice(1),
			['Tested-by: dave@forge.test', 4, true, false, false],
		]);
		assert.deepEqual(read(answer(4, 2, `${tested}\n`, 'mallory@evil.test')), [shown, ...hidden]);
	});

	test('of a patch without an author fall back to the sender, and belong to other people without one', () => {
		const series = readSeries(parts);
		const patches = series.patches.map((each) => ({ ...each, patch: { ...each.patch, author: undefined } }));
		const nobody = patches.map((each) => ({
			...each,
			mail: { ...each.mail, reading: { kind: 'raw', reason: 'unreadable', text: '' } as const },
		}));
		assert.deepEqual(
			[patches, nobody].map((all) => trailersOfThread([], { ...series, patches: all })[0]?.isForOther),
			[false, true],
		);
	});

	test('of an unreadable mail do not count', () => {
		const text = `Reviewed-by: ${dave}\n`;
		assert.deepEqual(
			given(makeSeriesMail({ id: 4, parentId: 2, reading: { kind: 'raw', reason: 'unreadable', text } })),
			[],
		);
	});

	test('may be the sender’s own with signs around the name, but not with an address there', () => {
		const mail = answer(4, 2, '');
		const isOwn = (value: string): boolean =>
			isOwnTrailer(mail, { key: 'Acked-by', value, person: { name: '', address: '' } }, new Set());
		const own = [
			'Dave Okafor (Big Company) <dave@forge.test>',
			'Dave Okafor (Big Company)<dave@forge.test> # on arm64',
			'Dave Okafor (Big) (Team) <dave@forge.test>',
			'Dave Okafor [Big Company] <dave@forge.test>',
			'Dave "Okay" Okafor <dave@forge.test>',
			'Okafor, Dave <dave@forge.test>',
			'Dave Okafor (@dave) <dave@forge.test>',
			'Dave Okafor: Big Company <dave@forge.test>',
		];
		const others = [
			'Dave (eve@forge.test) <dave@forge.test>',
			'Dave (eve\uFF20forge.test) <dave@forge.test>',
			'Dave, eve@forge.test <dave@forge.test>',
			'Dave (Big Company) <eve@forge.test>',
			'Dave (Big Company) <dave@forge.test> <eve@forge.test>',
			'Dave <eve@forge.test>, Dave <dave@forge.test>',
		];
		assert.deepEqual(own.filter(isOwn), own);
		assert.deepEqual(others.filter(isOwn), []);
	});

	test('of an unreadable mail are never the sender’s own', () => {
		const raw = makeSeriesMail({ reading: { kind: 'raw', reason: 'unreadable', text: '' } });
		assert.equal(
			isOwnTrailer(
				raw,
				{ key: 'Acked-by', value: dave, person: { name: 'Dave Okafor', address: 'dave@forge.test' } },
				new Set(),
			),
			false,
		);
		assert.equal(senderKey(raw), '');
	});
});
