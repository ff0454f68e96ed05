import assert from 'node:assert/strict';
import { trailersOfUnchanged, withEarlierTrailers } from '../../src/series/earlierTrailers.ts';
import { patchIdentity } from '../../src/series/patchIdentity.ts';
import { readSeries } from '../../src/series/series.ts';
import type { GivenTrailer, SeriesMail, SeriesReading } from '../../src/series/seriesReading.ts';
import { trailersOfThread } from '../../src/series/threadTrailers.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

const dave = 'Dave Okafor <dave@forge.test>';

/** A version of a series with these patch bodies and a cover letter; `first` is the id of the cover letter. */
function version(number: number, first: number, ...texts: readonly string[]): readonly SeriesMail[] {
	const tag = number === 1 ? 'PATCH' : `PATCH v${number}`;
	const count = texts.length;
	return [
		makeSeriesMail({ id: first, subject: `[${tag} 0/${count}] all`, body: 'About.\n' }),
		...texts.map((body, at) =>
			makeSeriesMail({ id: first + at + 1, parentId: first, subject: `[${tag} ${at + 1}/${count}] part`, body }),
		),
	];
}

function answer(id: number, parentId: number, trailer: string, from = 'dave@forge.test'): SeriesMail {
	return makeSeriesMail({ id, parentId, subject: 'Re: [PATCH] part', body: `Fine.\n\n${trailer}\n`, from });
}

interface Said {
	readonly series: SeriesReading;
	readonly trailers: readonly GivenTrailer[];
}

function said(parts: readonly SeriesMail[], ...answers: readonly SeriesMail[]): Said {
	const series = readSeries(parts);
	return { series, trailers: trailersOfThread([...parts, ...answers], series) };
}

/** Trailers of the later version with those of earlier ones, newest first. */
function carried(later: Said, ...earlier: readonly (Said & { readonly version: number })[]) {
	return withEarlierTrailers(
		later.trailers,
		earlier.flatMap((each) => trailersOfUnchanged(later.series, { ...each, id: each.version })),
	).map(({ key, value, patchIndexes, earlierVersion }) => [`${key}: ${value}`, patchIndexes, earlierVersion]);
}

function identityOf(body: string): string | undefined {
	return patchIdentity(readSeries([makeSeriesMail({ id: 1, subject: '[PATCH] a', body })]).patches[0]!.patch);
}

const same = patchText('b.c', 'Why.');
const before = [patchText('a.c'), same];
const after = [patchText('a.c').replace('+two', '+TWO'), same];

suite('trailers from earlier versions', () => {
	test('an unchanged patch keeps its review with the version number, and a changed one does not', () => {
		const [first, second] = [version(1, 10, ...before), version(2, 20, ...after)];
		const v1 = {
			version: 1,
			...said(first, answer(13, 12, `Acked-by: ${dave}`), answer(14, 11, `Tested-by: ${dave}`)),
		};
		assert.deepEqual(carried(said(second), v1), [[`Acked-by: ${dave}`, [2], 1]]);
	});

	test('a reply to the earlier cover letter counts for the unchanged patches', () => {
		const [first, second] = [version(1, 10, ...before), version(2, 20, ...after)];
		const v1 = { version: 1, ...said(first, answer(13, 10, `Reviewed-by: ${dave}`)) };
		assert.deepEqual(carried(said(second), v1), [[`Reviewed-by: ${dave}`, [2], 1]]);
	});

	test('a patch keeps its trailers at another number, and at two numbers', () => {
		const [first, second] = [version(1, 10, ...before), version(2, 20, same, patchText('c.c'), same)];
		const v1 = { version: 1, ...said(first, answer(13, 12, `Acked-by: ${dave}`)) };
		assert.deepEqual(carried(said(second), v1), [[`Acked-by: ${dave}`, [1, 3], 1]]);
	});

	test('trailers by another sender and from the earlier patch itself do not carry over', () => {
		const first = version(1, 10, before[0]!, patchText('b.c', `Why.\n\nTested-by: ${dave}`));
		const v1 = { version: 1, ...said(first, answer(13, 12, `Acked-by: ${dave}`, 'eve@forge.test')) };
		assert.deepEqual(carried(said(version(2, 20, ...after)), v1), []);
	});

	test('each person counts once per patch, with the newest version', () => {
		const acked = `Acked-by: ${dave}`;
		const v1 = { version: 1, ...said(version(1, 10, ...before), answer(13, 10, acked)) };
		const v2 = { version: 2, ...said(version(2, 20, ...before), answer(23, 22, acked)) };
		const third = version(3, 30, ...before);
		assert.deepEqual(carried(said(third), v2, v1), [
			[acked, [2], 2],
			[acked, [1], 1],
		]);
		assert.deepEqual(carried(said(third, answer(33, 31, acked)), v2, v1), [
			[acked, [1], undefined],
			[acked, [2], 2],
		]);
		const collected = version(3, 30, before[0]!, patchText('b.c', `Why.\n\n${acked}`));
		assert.deepEqual(carried(said(collected), v2, v1), [
			[acked, [2], undefined],
			[acked, [1], 1],
		]);
	});

	test('a person’s own earlier trailer takes precedence over another person’s trailer for them', () => {
		const acked = `Acked-by: ${dave}`;
		const v1 = { version: 1, ...said(version(1, 10, ...before), answer(13, 12, acked)) };
		const later = said(version(2, 20, ...before), answer(23, 20, acked, 'eve@forge.test'));
		assert.deepEqual(carried(later, v1), [
			[acked, [1], undefined],
			[acked, [2], 1],
		]);
	});
});

suite('patch identity', () => {
	test('ignores the message, line numbers, blob ids, hunk headings and file order', () => {
		const moved = same.replace('@@ -1,2 +1,3 @@', '@@ -51,2 +61,3 @@ int main()').replace('1234567..', '7654321..');
		assert.equal(identityOf(moved.replace('Why.', 'Other words.')), identityOf(same));
		const [one, other] = ['a.c', 'b.c'].map((path) => {
			const text = patchText(path);
			return text.slice(text.indexOf('diff --git'), text.indexOf('-- \n'));
		});
		const [ab, ba] = [`---\n\n${one}${other}`, `---\n\n${other}${one}`];
		assert.equal(identityOf(ab), identityOf(ba));
		assert.notEqual(identityOf(ab), identityOf(`---\n\n${one}`));
	});

	test('depends on lines, whitespace, paths and modes', () => {
		const changes = [
			same.replace('+two', '+ two'),
			same.replace(' three', ' four'),
			same.replaceAll('b.c', 'c.c'),
			same.replace('index 1234567..89abcde 100644\n', 'old mode 100644\nnew mode 100755\nindex 1234567..89abcde\n'),
			same.replace(' three\n', ' three\n\\ No newline at end of file\n'),
		];
		assert.deepEqual(
			changes.map((change) => identityOf(change) === identityOf(same)),
			changes.map(() => false),
		);
	});

	test('is undefined for a mail without a diff, or with a diff that git reads differently', () => {
		assert.equal(identityOf('Hello\n'), undefined);
		const hidden = patchText('hidden.c');
		const mail = makeSeriesMail({
			id: 1,
			subject: '[PATCH] a',
			reading: makeReading({ body: same, text: same, gitPatch: hidden }),
		});
		const { patch } = readSeries([mail]).patches[0]!;
		assert.notEqual(patch.gitDiff, undefined);
		assert.equal(patchIdentity(patch), undefined);
	});
});
