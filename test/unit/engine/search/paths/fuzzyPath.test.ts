import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { foldPath, pathQuery, pathScore } from '../../../../../src/engine/search/paths/fuzzyPath.ts';
import { rankPaths } from '../../../../../src/engine/search/paths/rankPaths.ts';
import { typedPath } from '../../../../../src/engine/search/paths/typedPath.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { counts, seed } from '../../../../support/counts.ts';

const runs = { numRuns: counts({ small: 300, full: 20_000 }), seed: seed() };

function score(query: string, path: string): number {
	return pathScore(pathQuery(query), foldPath(path));
}

function ranked(
	typed: string,
	paths: readonly string[],
	recent: readonly string[] = [],
	limit = 100,
): readonly string[] {
	return runAtOnce(rankPaths({ typed, limit, recent }, paths.map(foldPath))).map(({ path }) => path);
}

const step = fc.stringMatching(/^[a-cA-C_.-]{1,8}$/);
const path = fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join('/'));

suite('fuzzy file search', function () {
	this.timeout(600_000);
	for (const [query, first, second, why] of [
		['store', 'src/store/store.ts', 'store/src/store/a.ts', 'a name comes before a folder'],
		['store', 'x/sxtxoxrxe.c', 'store/x.c', 'a poor match in a name comes before a good one in a folder'],
		['ab', 'xaxBx.ts', 'xaxbx.ts', 'a capital counts more than matching case'],
		['store', 'src/store.ts', 'src/restore.ts', 'the beginning of a name comes before its middle'],
		['rs', 'src/repositoryStore.ts', 'src/parse.ts', 'capitals begin words'],
		['rs', 'src/repository_store.ts', 'src/parse.ts', 'a separator begins words'],
		['main.c', 'src/main.c', 'src/main.cc', 'the whole name comes before a part of one'],
		['abc', 'x/abc.ts', 'x/axbxc.ts', 'a run comes before the same characters apart'],
		['src/ma', 'src/main.c', 'other/src-old/deep/ma.c', 'segments count'],
		['sm', 'src/main.c', 'class/mm/zz.c', 'beginnings of segments count'],
		['FS', 'src/FS.ts', 'src/fs.ts', 'case decides when nothing else does'],
		['lib main', 'lib/deep/main.c', 'src/main.c', 'every piece must match'],
		['x', 'x.ts', 'xylophone.ts', 'the shorter name comes first'],
	] as const) {
		test(`${query}: ${why}`, () => {
			assert.deepEqual(ranked(query, [second, first])[0], first);
			assert.deepEqual(ranked(query, [first, second])[0], first);
		});
	}

	test('a name matches itself in any script, whatever the case rules at the end of a word', () => {
		for (const name of ['ΟΔΟΣ.txt', 'ΟΔΟΣ', 'Straße.c', 'İstanbul.md', 'ДОМ.txt', '写真.png', '😀.png']) {
			for (const typed of [name, name.replace(/\..*/, '')]) {
				assert.deepEqual(ranked(typed, [`a/${name}`]), [`a/${name}`], typed);
			}
		}
		assert.deepEqual(ranked('οδος', ['ΟΔΟΣ.txt', 'ΟΔΟΣ']), ['ΟΔΟΣ', 'ΟΔΟΣ.txt']);
		assert.deepEqual(ranked('istanbul', ['İstanbul.md']), ['İstanbul.md']);
	});

	test('folding to lower case keeps the position of every character', () => {
		for (let code = 0; code <= 0x10ffff; code += 1) {
			const character = String.fromCodePoint(code);
			assert.equal(foldPath(character).folded.length, character.length, code.toString(16));
		}
	});

	test('a path without the characters in order does not match', () => {
		assert.deepEqual(ranked('ba', ['ab.c', 'x/a/c']), []);
		assert.equal(score('zz', 'z'), 0);
		assert.equal(score('lib main', 'src/main.c'), 0);
	});

	test('a path copied from elsewhere matches', () => {
		assert.deepEqual(ranked('./src/main.c', ['src/main.c', 'src/main.cc']), ['src/main.c', 'src/main.cc']);
		assert.deepEqual(ranked('/src/main.c', ['src/main.c']), ['src/main.c']);
		assert.deepEqual(ranked(String.raw`src\main.c`, ['src/main.c']), ['src/main.c']);
	});

	test('recent files come first, the latest before all without a query', () => {
		const paths = ['a/main.c', 'b/main.c', 'c/main.c', 'readme'];
		assert.deepEqual(ranked('', paths, ['c/main.c', 'b/main.c']), ['c/main.c', 'b/main.c', 'a/main.c', 'readme']);
		assert.deepEqual(ranked('main', ['main.c', 'x/domain.c'], ['x/domain.c', 'readme']), ['x/domain.c', 'main.c']);
	});

	test('letters of other scripts and those that grow in lower case match', () => {
		assert.deepEqual(ranked('ñandú', ['x/ÑANDÚ.txt']), ['x/ÑANDÚ.txt']);
		assert.deepEqual(ranked('txt', ['İİİ.txt']), ['İİİ.txt']);
	});

	test('very long paths and queries finish quickly', () => {
		const long = 'aA_/'.repeat(100_000);
		assert.ok(score('a'.repeat(10_000), long) >= 0);
		assert.equal(score(`${'a'.repeat(99)}b`, long), 0);
	});

	test('every match has the characters in order, and every path ranks first for itself', () => {
		fc.assert(
			fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 20 }), step, (paths, query) => {
				for (const found of ranked(query, paths)) {
					let at = 0;
					for (const character of query.toLowerCase()) {
						at = found.toLowerCase().indexOf(character, at) + 1;
						assert.ok(at > 0, `${query} in ${found}`);
					}
				}
				// A typed leading dot or slash means the root.
				for (const each of paths.filter((candidate) => !candidate.startsWith('.'))) {
					assert.equal(ranked(each, paths)[0]?.toLowerCase(), each.toLowerCase());
				}
			}),
			runs,
		);
	});

	test('every match is listed, in an order independent of input order and limit', () => {
		fc.assert(
			fc.property(fc.uniqueArray(path, { maxLength: 30 }), step, fc.nat(10), (paths, query, limit) => {
				const all = ranked(query, paths);
				assert.equal(all.length, paths.filter((each) => score(query, each) > 0).length);
				assert.deepEqual(ranked(query, paths.toReversed()), all);
				assert.deepEqual(ranked(query, paths, [], limit), all.slice(0, limit));
			}),
			runs,
		);
	});

	test('a run of characters scores more than separate ones', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[a-c]{2,6}$/), (query) => {
				const apart = query.split('').join('z');
				assert.ok(score(query, `z${query}`) > score(query, `z${apart}`));
			}),
			runs,
		);
	});
});

suite('typed file position', function () {
	this.timeout(600_000);
	for (const [typed, text, line, column] of [
		['main.c', 'main.c', undefined, undefined],
		['src/main.c:12', 'src/main.c', 12, undefined],
		['main.c:12:3', 'main.c', 12, 3],
		['main.c:', 'main.c', undefined, undefined],
		['main.c:0', 'main.c', undefined, undefined],
		['a:b', 'a:b', undefined, undefined],
		[':12', ':12', undefined, undefined],
		['main.c:12345678', 'main.c:12345678', undefined, undefined],
	] as const) {
		test(JSON.stringify(typed), () => {
			assert.deepEqual(typedPath(typed), { text, line, column });
		});
	}
});
