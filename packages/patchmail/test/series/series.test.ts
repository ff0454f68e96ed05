import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail, SeriesProblem } from '../../src/series/seriesReading.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

function patch(id: number, subject: string, path = `f${id}.c`): SeriesMail {
	return makeSeriesMail({ id, subject, body: `Reasons.\n${patchText(path)}` });
}

function cover(id: number, subject: string): SeriesMail {
	return makeSeriesMail({ id, subject, body: 'What this is about.\n' });
}

suite('readSeries', function () {
	this.timeout(600_000);
	test('orders patches by the number in their subjects, whatever order they arrived in', () => {
		const mails = [
			patch(4, '[PATCH proj v2 2/2] b'),
			cover(1, '[PATCH proj v2 0/2] all'),
			patch(7, '[PATCH proj v2 1/2] a'),
		];
		const series = readSeries(mails);
		assert.deepEqual(
			series.patches.map(({ index, mail }) => [index, mail.id]),
			[
				[1, 7],
				[2, 4],
			],
		);
		assert.equal(series.cover?.id, 1);
		assert.equal(series.count, 2);
		assert.deepEqual(series.problems, [{ kind: 'wrongOrder' }]);
		assert.deepEqual(series.stat, { files: 2, added: 2, removed: 0 });
	});

	test('counts a file once if several patches touch it', () => {
		const series = readSeries([patch(1, '[PATCH 1/2] a', 'x.c'), patch(2, '[PATCH 2/2] b', 'x.c')]);
		assert.deepEqual(series.stat, { files: 1, added: 2, removed: 0 });
	});

	test('takes the server’s cover letter, or else the one with a cover letter subject', () => {
		const mails = [cover(1, 'Plans for the status line'), patch(2, '[PATCH proj] a')];
		assert.equal(readSeries(mails, { coverLetterId: 1 }).cover?.id, 1);
		assert.deepEqual(
			readSeries(mails, { coverLetterId: 1 }).patches.map(({ mail }) => mail.id),
			[2],
		);
		assert.equal(readSeries(mails).cover, undefined);
		const two = [cover(1, '[PATCH other 0/1] x'), cover(2, '[PATCH proj 0/1] y'), patch(3, '[PATCH proj 1/1] z')];
		assert.equal(readSeries(two).cover?.id, 2);
	});

	test('takes the sender’s first mail of the thread as cover letter without a tag', () => {
		const below = (mail: SeriesMail, parentId: number): SeriesMail => ({ ...mail, parentId });
		const free = cover(1, 'A better status line');
		const flat = [below(patch(2, '[PATCH 1/2] a'), 1), below(patch(3, '[PATCH 2/2] b'), 1)];
		const deep = [below(patch(2, '[PATCH 1/2] a'), 1), below(patch(3, '[PATCH 2/2] b'), 2)];
		const eve = makeSeriesMail({ id: 1, subject: 'A better status line', from: 'eve@evil.test' });
		for (const [title, mails, id] of [
			['flat', [free, ...flat], 1],
			['deep', [free, ...deep], 1],
			['by somebody else', [eve, ...flat], undefined],
			['an answer', [below(free, 9), ...flat], undefined],
			['an answer by its subject', [cover(1, 'Re: A better status line'), ...flat], undefined],
			['a patch', [patch(1, 'A better status line'), ...flat], undefined],
			['elsewhere', [free, flat[0]!, patch(3, '[PATCH 2/2] b')], undefined],
			['above a patch without a number', [free, below(patch(2, '[PATCH] a'), 1)], undefined],
			['beside one with a tag', [free, below(cover(4, '[PATCH 0/2] all'), 1), ...flat], 4],
		] as const) {
			const { cover: found, patches } = readSeries(mails);
			assert.equal(found?.id, id, title);
			assert.ok(patches.length > 0);
		}
		assert.deepEqual(readSeries([free, ...flat]).problems, []);
	});

	test('leaves out other versions and answers in the same conversation', () => {
		const mails = [
			cover(1, '[PATCH proj 0/1] all'),
			patch(2, '[PATCH proj 1/1] a'),
			patch(3, 'Re: [PATCH proj 1/1] a'),
			cover(4, '[PATCH proj v2 0/1] all'),
			patch(5, '[PATCH proj v2 1/1] a'),
		];
		assert.deepEqual(
			readSeries(mails, { version: 1 }).patches.map(({ mail }) => mail.id),
			[2],
		);
		const second = readSeries(mails, { version: 2 });
		assert.deepEqual([second.cover?.id, second.patches[0]?.mail.id], [4, 5]);
		assert.deepEqual(
			readSeries(mails, { coverLetterId: 4 }).patches.map(({ mail }) => mail.id),
			[5],
		);
	});

	test('accepts a part that arrived only as an answer', () => {
		const series = readSeries([patch(1, '[PATCH 1/2] a'), patch(2, 'Re: [PATCH 2/2] b')]);
		assert.deepEqual(
			series.patches.map(({ index }) => index),
			[1, 2],
		);
		assert.deepEqual(series.problems, []);
	});

	test('accepts a listed mail without a diff as a part, even if it looks like an answer', () => {
		const mails = [patch(1, '[PATCH 1/2] a'), cover(2, 'Re: [PATCH 2/2] b'), cover(3, 'Re: [PATCH 2/2] b')];
		const ids = (patchIds: readonly number[]): readonly number[] =>
			readSeries(mails, { patchIds: new Set(patchIds) }).patches.map(({ mail }) => mail.id);
		assert.deepEqual([ids([1]), ids([1, 3])], [[1], [1, 3]]);
	});

	test('does not accept an answer in place of a missing part', () => {
		const series = readSeries([patch(1, '[PATCH 1/2] a'), cover(2, 'Re: [PATCH 2/2] b')]);
		assert.deepEqual(series.problems, [{ kind: 'missingParts', indexes: [2], count: 2 }]);
	});

	test('never takes a patch as cover letter', () => {
		const series = readSeries([patch(1, '[PATCH 1/2] a'), patch(2, '[PATCH 2/2] b')], { coverLetterId: 1 });
		assert.equal(series.cover, undefined);
		assert.equal(series.patches.length, 2);
	});

	test('prefers a cover letter with another prefix over none', () => {
		assert.equal(readSeries([cover(1, '[PATCH other 0/1] x'), patch(2, '[PATCH proj 1/1] y')]).cover?.id, 1);
	});

	test('reports missing and repeated parts', () => {
		const series = readSeries([patch(1, '[PATCH 1/3] a'), patch(2, '[PATCH 3/3] c'), patch(3, '[PATCH 3/3] c')]);
		assert.deepEqual(series.problems, [
			{ kind: 'missingParts', indexes: [2], count: 3 },
			{ kind: 'repeatedPart', index: 3, isLast: false },
		]);
		assert.equal(series.patches[1]?.mail.id, 2);
	});

	test('counts the sender’s patches in the thread that are in no patchset', () => {
		const leftOut = (mails: readonly SeriesMail[], patchIds?: readonly number[]): readonly SeriesProblem[] =>
			readSeries(mails, patchIds ? { patchIds: new Set(patchIds) } : {}).problems;
		const count = (patches: number): SeriesProblem => ({ kind: 'leftOut', count: patches });
		const unnumbered = [patch(1, '[PATCH] Change three'), patch(2, '[PATCH] Change b'), patch(3, '[PATCH] Change c')];
		assert.deepEqual(leftOut(unnumbered, [1]), [count(2)]);
		assert.deepEqual(leftOut(unnumbered), [count(2)]);

		const two = [patch(1, '[PATCH 1/2] a'), patch(2, '[PATCH 2/2] b')];
		for (const subject of ['[PATCH 1.5/2] x', '[PATCH 3/2] x', '[PATCH] fixup! a', 'fixup! a', '[PATCH 1/2] x']) {
			assert.deepEqual(leftOut([...two, patch(3, subject)], [1, 2]), [count(1)], subject);
		}
		assert.deepEqual(leftOut([...two, patch(3, '[PATCH 1.5/2] x')], [1, 2, 3]), [count(1)]);

		const none: readonly SeriesMail[] = [
			patch(3, 'Re: [PATCH] fixup! a'),
			patch(3, '[PATCH v2 1/1] a'),
			cover(3, '[PATCH] fixup! a'),
			// The same patch again.
			patch(3, '[PATCH RESEND 1/2] a', 'f1.c'),
			{ ...patch(3, '[PATCH] other'), patchsetId: 9 },
			makeSeriesMail({ id: 3, subject: '[PATCH] fixup! a', body: patchText('x.c'), from: 'eve@forge.test' }),
		];
		for (const mail of none) {
			assert.deepEqual(leftOut([...two, mail], [1, 2]), [], mail.subject);
		}
	});

	test('reports thousands of announced parts at once', () => {
		const [missing, ...others] = readSeries([patch(1, '[PATCH 1/9999] a')]).problems;
		assert.deepEqual([missing?.kind === 'missingParts' && missing.indexes.length, others], [9998, []]);
	});

	test('quotes a line that a mail program wrapped, and reports other damage by file', () => {
		const wrapped = makeSeriesMail({
			subject: '[PATCH] a',
			body: patchText('a.c').replace('+two', '+two and then some more\nwords'),
		});
		assert.deepEqual(readSeries([wrapped]).problems, [{ kind: 'wrappedLines', mailId: 1, line: 'words' }]);
		const [head = ''] = patchText('a.c').split('+two');
		assert.deepEqual(readSeries([makeSeriesMail({ subject: '[PATCH] a', body: head })]).problems, [
			{ kind: 'damaged', mailId: 1, path: 'a.c', damage: 'cutShort' },
		]);
	});

	test('reports mails without plain text or diff, flowed ones and attached patches', () => {
		const html = makeSeriesMail({
			id: 1,
			subject: '[PATCH 1/4] a',
			reading: { kind: 'raw', reason: 'noPlainText', text: '<p>' },
		});
		const empty = makeSeriesMail({ id: 2, subject: '[PATCH 2/4] b', body: 'See the branch.\n' });
		const flowed = makeSeriesMail({
			id: 3,
			subject: '[PATCH 3/4] c',
			reading: makeReading({ body: patchText('c'), isFlowed: true }),
		});
		const text = patchText('d');
		const attached = makeSeriesMail({
			id: 4,
			subject: '[PATCH 4/4] d',
			reading: makeReading({
				attachments: [{ name: 'd.patch', type: 'text/x-patch', size: text.length, patch: text, text: undefined }],
			}),
		});
		assert.deepEqual(readSeries([html, empty, flowed, attached]).problems, [
			{ kind: 'shownRaw', mailId: 1, index: 1, reason: 'noPlainText' },
			{ kind: 'noDiff', mailId: 2 },
			{ kind: 'flowed', mailId: 3 },
			{ kind: 'attachedPatch', mailId: 4 },
		]);
	});

	test('reports words in the wrong order and an unusual prefix', () => {
		const problems = (subject: string, usualPrefix?: string): readonly SeriesProblem[] =>
			readSeries([patch(1, subject)], { usualPrefix }).problems;
		assert.deepEqual(problems('[PATCH] [proj] [v2] a', 'proj'), [
			{ kind: 'wrongPrefix', written: 'PATCH', usual: 'proj' },
		]);
		assert.deepEqual(problems('[PATCH] [v2] a'), [{ kind: 'wrongPrefix', written: 'PATCH', usual: undefined }]);
		for (const own of ['[PATCH v2 proj] a', '[proj PATCH v2] a', '[list] [PATCH proj v2] a']) {
			assert.deepEqual(problems(own, 'proj'), [], own);
		}
		assert.deepEqual(problems('[PATCH] a', 'proj'), [{ kind: 'wrongPrefix', written: 'PATCH', usual: 'proj' }]);
		assert.deepEqual(problems('[PATCH RFC v3] a', 'proj'), [
			{ kind: 'wrongPrefix', written: 'PATCH RFC v3', usual: 'proj' },
		]);
		assert.deepEqual(problems('[PATCH Proj v2 1/1] a', 'proj'), []);
		assert.deepEqual(problems('[RFC PATCH proj] a', 'proj'), []);
	});

	test('orders patches without patch subjects by arrival', () => {
		const series = readSeries([patch(5, 'second'), patch(2, 'first'), makeSeriesMail({ id: 9, subject: 'Thanks' })]);
		assert.deepEqual(
			series.patches.map(({ index, mail }) => [index, mail.id]),
			[
				[1, 2],
				[2, 5],
			],
		);
	});

	test('returns an empty series for no mails', () => {
		assert.deepEqual(readSeries([]), {
			cover: undefined,
			patches: [],
			count: 0,
			problems: [],
			stat: { files: 0, added: 0, removed: 0 },
		});
	});

	test('gives the same reading for any order of mails, with ascending unique indexes', () => {
		const subject = fc.oneof(
			fc.constantFrom(
				'[PATCH proj 0/3] x',
				'[PATCH proj 1/3] x',
				'[PATCH 2/3] x',
				'[PATCH proj 3/3] x',
				'Re: [PATCH 1/3] x',
			),
			fc.constantFrom('[PATCH v2 proj 1/3] x', '[proj PATCH 2/3] x', '[PATCH proj v2 1/2] x', 'hello', '[PATCH 7/3] x'),
			fc.string().map((text) => `[PATCH ${text}`),
		);
		const mails = fc
			.array(fc.tuple(subject, fc.boolean()), { maxLength: 12 })
			.map((all) => all.map(([text, isPatch], at) => (isPatch ? patch(at + 1, text) : cover(at + 1, text))));
		fc.assert(
			fc.property(mails, fc.integer(), (some, turn) => {
				const one = readSeries(some);
				const at = Math.abs(turn % (some.length + 1));
				assert.deepEqual(readSeries([...some.slice(at), ...some.slice(0, at)]), one);
				const indexes = one.patches.map(({ index }) => index);
				assert.deepEqual(
					indexes,
					Array.from(new Set(indexes)).toSorted((a, b) => a - b),
				);
				assert.ok(one.patches.every(({ mail }) => mail !== one.cover));
				const missing = one.problems.flatMap((each) => (each.kind === 'missingParts' ? each.indexes : []));
				const there = indexes.filter((index) => index >= 1 && index <= one.count);
				assert.equal(missing.length, one.count === 1 && indexes.length > 0 ? 0 : one.count - there.length);
			}),
			{ numRuns: counts({ small: 300, full: 20_000 }), seed: seed() },
		);
	});

	test('consists of the server’s mails and of missed parts by their senders', () => {
		const mails = [
			patch(1, '[PATCH 1/3] a'),
			patch(2, 'Re: [PATCH 2/3] b'),
			patch(3, '[PATCH 3/3] c'),
			makeSeriesMail({ id: 4, subject: '[PATCH 3/3] c', body: patchText('evil.c'), from: 'eve@evil.test' }),
			patch(5, 'Hello'),
		];
		const ids = (hints: Parameters<typeof readSeries>[1], of = mails): readonly number[] =>
			readSeries(of, hints).patches.map(({ mail }) => mail.id);
		assert.deepEqual(ids({ patchIds: new Set([1, 2]) }), [1, 2, 3]);
		assert.deepEqual(ids({ patchIds: new Set([5]) }, [mails[3]!, mails[4]!]), [5]);
	});

	test('accepts no part of a stranger, but the server’s cover letter from anybody', () => {
		const eve = (id: number, subject: string): SeriesMail =>
			makeSeriesMail({ id, subject, body: patchText('evil.c'), from: 'eve@evil.test' });
		const mails = [
			makeSeriesMail({ id: 1, subject: '[PATCH 0/2] all', from: 'ann@forge.test' }),
			patch(2, '[PATCH 1/2] a'),
			eve(3, '[PATCH 2/2] b'),
		];
		const read = (hints: Parameters<typeof readSeries>[1]): readonly unknown[] => {
			const { cover, patches } = readSeries(mails, hints);
			return [cover?.id, patches.map(({ mail }) => mail.id)];
		};
		assert.deepEqual(read({ patchIds: new Set([2]) }), [undefined, [2]]);
		assert.deepEqual(read({ patchIds: new Set([2]), coverLetterId: 1 }), [1, [2]]);
		assert.deepEqual(read({}), [1, [2, 3]]);
		// The subject of a cover letter may look like that of a patch.
		const alike = [cover(1, '[PATCH] all'), patch(2, '[PATCH 1/1] a')];
		const named = readSeries(alike, { coverLetterId: 1 });
		assert.deepEqual([named.cover?.id, named.patches.map(({ mail }) => mail.id)], [1, [2]]);
	});

	test('counts deleted files and removed lines', () => {
		const gone = (name: string): string =>
			`diff --git a/${name} b/${name}\ndeleted file mode 100644\n--- a/${name}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n`;
		const mail = makeSeriesMail({ subject: '[PATCH] a', body: `Why.\n---\n${gone('x')}${gone('y')}` });
		assert.deepEqual(readSeries([mail]).stat, { files: 2, added: 0, removed: 4 });
	});

	test('has an empty patch for an unreadable mail', () => {
		const raw = { kind: 'raw', reason: 'unreadable', text: 'x' } as const;
		const noDiff = {
			diff: { files: [], isBare: false, added: 0, removed: 0, start: 0, end: 0 },
			diffText: '',
		};
		assert.deepEqual(readSeries([makeSeriesMail({ subject: '[PATCH] a', reading: raw })]).patches[0]?.patch, {
			...noDiff,
			author: undefined,
			subject: '',
			message: '',
			gitMessage: undefined,
			commentary: '',
			gitDiff: undefined,
			bytes: noDiff,
			charset: '',
			baseCommit: undefined,
			prerequisites: [],
		});
	});

	test('reuses patches from an earlier reading', () => {
		const mail = patch(1, '[PATCH] a');
		const known = readSeries([patch(1, '[PATCH] a', 'other.c')]).patches[0]!.patch;
		const read = (id: number): string | undefined =>
			readSeries([mail], { patchMails: new Map([[id, known]]) }).patches[0]?.patch.diff.files[0]?.newPath;
		assert.deepEqual([read(1), read(2)], ['other.c', 'f1.c']);
	});

	test('returns a cover letter without patches of its version', () => {
		const mails = [cover(1, '[PATCH v2 0/1] all'), cover(2, '[PATCH 0/1] all')];
		assert.equal(readSeries(mails, { coverLetterId: 1 }).cover?.id, 1);
	});

	test('reports names without folders, and damage with the name of a deleted file or its last line', () => {
		const read = (diff: string): readonly SeriesProblem[] =>
			readSeries([makeSeriesMail({ subject: '[PATCH] a', body: `Why.\n---\n${diff}` })]).problems;
		assert.deepEqual(read('diff --git x x\nindex 1111111..2222222 100644\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n'), [
			{ kind: 'noPrefix', mailId: 1 },
		]);
		const gone = 'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n';
		assert.deepEqual(read(gone), [{ kind: 'damaged', mailId: 1, path: 'x', damage: 'cutShort' }]);
		const wrapped = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\nof it';
		assert.deepEqual(read(wrapped), [{ kind: 'wrappedLines', mailId: 1, line: 'of it' }]);
	});

	test('orders simultaneous mails by id', () => {
		const at = (id: number, subject: string): SeriesMail => ({ ...patch(id, subject), createdMs: 1 });
		assert.deepEqual(readSeries([at(2, '[PATCH 2/2] b'), at(1, '[PATCH 1/2] a')]).problems, []);
	});

	test('accepts no missed parts of unknown senders', () => {
		const raw = makeSeriesMail({
			id: 2,
			subject: '[PATCH 2/2] b',
			reading: { kind: 'raw', reason: 'unreadable', text: '' },
		});
		const nobody = { ...patch(1, '[PATCH 1/2] a'), reading: makeReading({ from: [{ name: '', address: '' }] }) };
		assert.deepEqual(
			readSeries([nobody, raw], { patchIds: new Set([1]) }).patches.map(({ mail }) => mail.id),
			[1],
		);
		const other = { ...nobody, id: 2, subject: '[PATCH 2/2] b' };
		assert.deepEqual(
			readSeries([nobody, other], { patchIds: new Set([1]) }).patches.map(({ mail }) => mail.id),
			[1],
		);
	});
});
