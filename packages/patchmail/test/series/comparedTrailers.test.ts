import assert from 'node:assert/strict';
import { giftsOf, withTrailerBytes } from '../../src/series/comparedTrailers.ts';
import { trailersForNext, type EarlierVersion } from '../../src/series/earlierTrailers.ts';
import { readSeries } from '../../src/series/series.ts';
import { addressPair } from '../../src/series/samePeople.ts';
import type { SeriesMail, SeriesReading } from '../../src/series/seriesReading.ts';
import type { TrailerBytes } from '../../src/series/trailerBytes.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const dave = 'Dave Okafor <dave@forge.test>';
const reviewed = `Reviewed-by: ${dave}`;

function patches(number: number, first: number, ...texts: readonly string[]): readonly SeriesMail[] {
	const tag = number === 1 ? 'PATCH' : `PATCH v${number}`;
	return texts.map((body, at) =>
		makeSeriesMail({ id: first + at, subject: `[${tag} ${at + 1}/${texts.length}] part ${at + 1}`, body }),
	);
}

function answer(id: number, parentId: number, trailer = reviewed, from = 'dave@forge.test'): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: [PATCH] part', body: `Fine.\n\n${trailer}\n`, from });
}

function version(number: number, parts: readonly SeriesMail[], ...answers: readonly SeriesMail[]): EarlierVersion {
	const series = readSeries(parts);
	return { version: number, id: number * 100, series, trailers: trailersOfThread([...parts, ...answers], series) };
}

/** Bytes of each trailer of a version, as `index: bytes`. */
function bytesOf(
	now: EarlierVersion,
	...earlier: readonly EarlierVersion[]
): readonly (readonly [number, TrailerBytes])[] {
	return withTrailerBytes(now.trailers, now.series.patches, earlier.flatMap(giftsOf), new Set()).flatMap(
		({ bytes = [] }) => bytes.map(({ index, ...rest }) => [index, rest] as const),
	);
}

const given = patchText('a.c', `Why.`);
const carried = (text: string, trailer = reviewed): string => text.replace('Why.', `Why.\n\n${trailer}`);
const changed = given.replace('+two', '+TWO');
const first = version(1, patches(1, 10, given), answer(19, 10));
const from = { version: 1, patchsetId: 100, index: 1, mailId: 10 };

suite('bytes of trailers', () => {
	test('a reply to the patch itself is for its bytes', () => {
		const now = version(2, patches(2, 20, changed), answer(29, 20));
		assert.deepEqual(bytesOf(now, first), [[1, { kind: 'these', mailId: 29, from: undefined }]]);
	});

	test('a carried trailer is for these bytes with equal changes and ids, and for others after any change', () => {
		const classes = [
			given,
			changed,
			given.replace('+two', '+ two'),
			given.replace('1234567..89abcde', '7654321..89abcde'),
			given.replace('1234567..89abcde', `1234567${'0'.repeat(33)}..89abcde${'0'.repeat(33)}`),
			given.replace('1234567..89abcde', '123456..89abcd'),
		].map((text) => bytesOf(version(2, patches(2, 20, carried(text))), first)[0]![1]);
		assert.deepEqual(classes, [
			{ kind: 'these', mailId: 19, from },
			// Its index line still states the ids of the reviewed patch.
			{ kind: 'other', mailId: 19, version: 1, from },
			{ kind: 'other', mailId: 19, version: 1, from },
			{ kind: 'sameChanges', mailId: 19, from },
			{ kind: 'these', mailId: 19, from },
			{ kind: 'sameChanges', mailId: 19, from },
		]);
	});

	test('a trailer for the next version keeps the class of its gift, whatever the last version carried', () => {
		const second = version(2, patches(2, 20, carried(changed)));
		const nextClass = (text: string, ...earlier: readonly EarlierVersion[]): readonly unknown[] => {
			const next = version(3, patches(3, 30, text)).series.patches;
			const trailers = trailersForNext(next, earlier[0]!);
			return withTrailerBytes(trailers, next, earlier.flatMap(giftsOf), new Set()).map(({ bytes }) => bytes?.[0]?.kind);
		};
		assert.deepEqual(
			[
				nextClass(given, first),
				nextClass(changed, first),
				nextClass(changed, second, first),
				nextClass(given, second, first),
				nextClass(changed, second),
				nextClass(patchText('z.c', 'Else.').replace('part', 'else'), version(1, patches(1, 10, given))),
			],
			[['these'], ['other'], ['other'], ['these'], ['unknown'], []],
		);
	});

	test('without a mail of that person with that trailer it is unknown', () => {
		const unknown = { kind: 'unknown', reason: 'noMail' };
		const acked = carried(given, `Acked-by: ${dave}`);
		const byEve = version(1, patches(1, 10, given), answer(19, 10, reviewed, 'eve@forge.test'));
		const onlyCopied = version(1, patches(1, 10, carried(given)));
		assert.deepEqual(
			[
				bytesOf(version(2, patches(2, 20, acked)), first),
				bytesOf(version(2, patches(2, 20, carried(given))), byEve),
				bytesOf(version(2, patches(2, 20, carried(given))), onlyCopied),
				bytesOf(version(2, patches(2, 20, given), answer(29, 20, reviewed, 'eve@forge.test'))),
			],
			Array.from({ length: 4 }, () => [[1, unknown]]),
		);
	});

	test('senders vouch for their own lines, in each version', () => {
		const signed = carried(given, 'Signed-off-by: Bob <bob@forge.test>');
		const now = version(2, patches(2, 20, signed));
		assert.deepEqual(bytesOf(now), [[1, { kind: 'these', mailId: 20, from: undefined }]]);
		const [mail] = patches(2, 20, signed);
		const forwarded = version(2, [
			makeSeriesMail({
				...mail,
				body: signed,
				from: 'carol@forge.test',
				reading: makeReading({ body: signed, text: signed, from: [{ name: '', address: 'carol@forge.test' }] }),
			}),
		]);
		assert.deepEqual(bytesOf(forwarded, version(1, patches(1, 10, signed))), [
			[1, { kind: 'these', mailId: 10, from }],
		]);
		assert.deepEqual(bytesOf(forwarded), [[1, { kind: 'unknown', reason: 'noMail' }]]);
		const author = 'From: Bob <bob@forge.test>\n\n';
		const kindsOf = (text: string) =>
			bytesOf(
				version(2, [makeSeriesMail({ id: 20, subject: '[PATCH v2]', body: author + text, from: 'carol@forge.test' })]),
			);
		assert.equal(kindsOf(signed)[0]?.[1].kind, 'these');
		assert.equal(kindsOf(signed.replace('Signed-off', 'Reviewed'))[0]?.[1].kind, 'unknown');
	});

	test('a gift from a second address counts for a person with both', () => {
		const bySecond = version(1, patches(1, 10, given), answer(19, 10, reviewed, 'dave@work.test'));
		const now = version(2, patches(2, 20, carried(given)));
		const classes = [new Set<string>(), new Set([addressPair('dave@work.test', 'dave@forge.test')])].map(
			(pairs) => withTrailerBytes(now.trailers, now.series.patches, giftsOf(bySecond), pairs)[0]?.bytes?.[0]?.kind,
		);
		assert.deepEqual(classes, ['unknown', 'these']);
	});

	test('the newest earlier version with equal bytes counts, else the newest of all', () => {
		const second = version(2, patches(2, 20, changed), answer(29, 20));
		const found = (text: string) => bytesOf(version(3, patches(3, 30, carried(text))), second, first)[0]![1];
		assert.deepEqual(found(given), { kind: 'these', mailId: 19, from });
		assert.deepEqual(found(changed.replace('TWO', 'Two')), {
			kind: 'other',
			mailId: 29,
			version: 2,
			from: { version: 2, patchsetId: 200, index: 1, mailId: 20 },
		});
	});

	test('a review of the whole series names the patch with the same subject, else the same files, else none', () => {
		const cover = makeSeriesMail({ id: 9, subject: '[PATCH 0/2] all', body: 'About.\n' });
		const parts = patches(1, 10, given, patchText('b.c', 'Why.')).map((mail) => ({ ...mail, parentId: 9 }));
		const whole = version(1, [cover, ...parts], answer(19, 9));
		const names = ['b.c', 'c.c'].map((path) => patchText(path, `Why.\n\n${reviewed}`).replace('+two', '+TWO'));
		const now = (subject: string, text: string): SeriesMail => makeSeriesMail({ id: 20, subject, body: text });
		const found = [
			now('[PATCH v2] Part  1', names[1]!),
			now('[PATCH v2] renamed', names[0]!),
			now('[PATCH v2] new', names[1]!),
		].map((mail) => bytesOf(version(2, [mail]), whole)[0]![1]);
		assert.deepEqual(
			found.map((each) => each.kind === 'other' && (each.from?.index ?? 'none')),
			[1, 2, 'none'],
		);
	});

	test('a diff that only git reads was never reviewed', () => {
		const hidden = makeSeriesMail({
			id: 20,
			subject: '[PATCH v2 1/1] part 1',
			reading: makeReading({ body: given, text: given, gitPatch: patchText('hidden.c') }),
		});
		const unknown = [[1, { kind: 'unknown', reason: 'notCompared' }]];
		assert.deepEqual(bytesOf(version(2, [hidden], answer(29, 20))), unknown);
		const before: SeriesReading = readSeries([{ ...hidden, id: 10 }]);
		const unread = { ...first, series: before };
		assert.deepEqual(bytesOf(version(2, patches(2, 20, carried(given))), unread), unknown);
	});
});
