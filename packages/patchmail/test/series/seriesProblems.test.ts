import assert from 'node:assert/strict';
import type { MailDoubt } from '../../src/mail/mailDoubts.ts';
import type { DamageKind } from '../../src/patch/fileDiff.ts';
import type { ReadableMail } from '../../src/mail/readableMail.ts';
import { archivedFrom } from '../../src/series/listedPatchset.ts';
import { readSeries } from '../../src/series/series.ts';
import type { PatchMail, SeriesMail, SeriesProblem } from '../../src/series/seriesReading.ts';
import { makeReading, makeSeriesMail, patchText } from '../../../../test/support/makeSeries.ts';

function patch(id: number, subject: string, createdMs = id): SeriesMail {
	return makeSeriesMail({ id, subject, body: patchText(`f${id}.c`), createdMs });
}

/** Problems of a single patch; `parts` overrides fields of the parsed patch. */
function problemsOf(change: Partial<ReadableMail>, parts: Partial<PatchMail> = {}): readonly SeriesProblem[] {
	const mail = makeSeriesMail({ subject: '[PATCH] a', reading: makeReading({ body: patchText('a.c'), ...change }) });
	const [read] = readSeries([mail]).patches;
	return readSeries([mail], { patchMails: new Map([[1, { ...read!.patch, ...parts }]]) }).problems;
}

function attachment(text: string | undefined): ReadableMail['attachments'][number] {
	return { name: 'x', type: 'text/x-patch', size: 1, patch: text, text: undefined };
}

suite('problems of a series', () => {
	test('include an arrival order that differs from the numbers, by time and then by id', () => {
		const wrong = [{ kind: 'wrongOrder' }];
		const cover = (id: number, createdMs = id): SeriesMail =>
			makeSeriesMail({ id, subject: '[PATCH 0/2] all', createdMs });
		for (const [mails, problems] of [
			[[cover(1), patch(2, '[PATCH 1/2] a'), patch(3, '[PATCH 2/2] b')], []],
			[[cover(9, 1), patch(8, '[PATCH 1/2] a', 2), patch(7, '[PATCH 2/2] b', 3)], []],
			[[cover(1, 1), patch(2, '[PATCH 1/2] a', 1), patch(3, '[PATCH 2/2] b', 1)], []],
			[[cover(2, 1), patch(1, '[PATCH 1/2] a', 1), patch(3, '[PATCH 2/2] b', 1)], wrong],
			[[cover(1, 9), patch(2, '[PATCH 1/2] a'), patch(3, '[PATCH 2/2] b')], wrong],
			[[patch(2, '[PATCH 1/2] a', 4), patch(3, '[PATCH 2/2] b', 3)], wrong],
		] as const) {
			assert.deepEqual(readSeries(mails).problems, problems);
		}
	});

	test('of an archive include no order by numbers, because those of one minute have none', () => {
		const [early, late] = [archivedFrom + 5, archivedFrom + 6];
		const first = (createdMs: number): SeriesMail => patch(late, '[PATCH 1/2] a', createdMs);
		assert.deepEqual(readSeries([first(1), patch(early, '[PATCH 2/2] b', 1)]).problems, []);
		assert.deepEqual(readSeries([first(2), patch(early, '[PATCH 2/2] b', 1)]).problems, [{ kind: 'wrongOrder' }]);
	});

	test('include no prefix problem for patches without one in the subject', () => {
		assert.deepEqual(readSeries([patch(1, 'a'), patch(2, 'b')], { usualPrefix: 'proj' }).problems, []);
	});

	test('include doubts about the mail, and another patch or message for git', () => {
		const doubt: MailDoubt = { kind: 'bareReturn' };
		const lost: MailDoubt = { kind: 'lostBytes' };
		const patchBytes = (hasLosses: boolean): ReadableMail['patchBytes'] => ({ bytes: 'x', charset: '', hasLosses });
		const inDoubt = { kind: 'inDoubt', mailId: 1, isOtherPatch: false };
		const lostBytes = { kind: 'lostBytes', mailId: 1 };
		const gitDiff = { diffText: '', diff: { files: [], isBare: false, added: 0, removed: 0, start: 0, end: 0 } };
		for (const [mail, parts, problems] of [
			[{}, {}, []],
			[{ doubts: [doubt] }, {}, [inDoubt]],
			[{ doubts: [lost] }, {}, [inDoubt]],
			[{ doubts: [lost], patchBytes: patchBytes(false) }, {}, [inDoubt]],
			[{ doubts: [lost], patchBytes: patchBytes(true) }, {}, [lostBytes]],
			[{ doubts: [lost, doubt], patchBytes: patchBytes(true) }, {}, [inDoubt, lostBytes]],
			[{}, { gitMessage: 'Other.' }, [inDoubt]],
			[{}, { gitDiff }, [{ ...inDoubt, isOtherPatch: true }]],
		] as const) {
			assert.deepEqual(problemsOf(mail, parts), problems, JSON.stringify([mail, parts]));
		}
		const raw = { kind: 'raw', reason: 'unreadable', text: '' } as const;
		assert.deepEqual(readSeries([makeSeriesMail({ subject: '[PATCH] a', reading: raw })]).problems, [
			{ kind: 'shownRaw', mailId: 1, index: 1, reason: 'unreadable' },
		]);
	});

	test('include a doubt if git applies a damaged file differently', () => {
		const { diff } = readSeries([patch(1, '[PATCH] a')]).patches[0]!.patch;
		const [file] = diff.files;
		const kinds = (...damages: readonly (readonly DamageKind[])[]): readonly string[] => {
			const files = damages.map((each) => ({ ...file!, damage: each.map((kind) => ({ kind, at: 0 })) }));
			return problemsOf({}, { diff: { ...diff, files } }).map(({ kind }) => kind);
		};
		assert.deepEqual(kinds([], ['cutShort']), ['damaged']);
		assert.deepEqual(kinds([], ['cutShort', 'noContext']), ['inDoubt', 'damaged']);
		assert.deepEqual(kinds(['endInside'], []), ['inDoubt', 'damaged']);
	});

	test('include all damaged files, or only the first wrapped line', () => {
		const file = (name: string): string =>
			patchText(name)
				.slice(patchText(name).indexOf('diff'))
				.replace(/-- \n[^]*/, '');
		const cut = (name: string): string => file(name).replace(' three\n', '');
		const wrapped = (name: string): string => file(name).replace('+two\n', '+two and then some more\nwords \t\n');
		const of = (...files: readonly string[]): readonly SeriesProblem[] =>
			problemsOf({ body: `---\n${files.join('')}` });
		const damaged = { kind: 'damaged', mailId: 1, damage: 'cutShort' };
		assert.deepEqual(of(file('a'), cut('b'), cut('c')), [
			{ ...damaged, path: 'b' },
			{ ...damaged, path: 'c' },
		]);
		const line = { kind: 'wrappedLines', mailId: 1, line: 'words' };
		assert.deepEqual(of(cut('a'), wrapped('b'), wrapped('c')), [line]);
		const long = wrapped('a').replace('words', 'x'.repeat(300));
		assert.deepEqual(of(long), [{ ...line, line: 'x'.repeat(200) }]);
	});

	test('include patches in attachments, but not attachments beside patches', () => {
		const text = patchText('a.c');
		const attached = [{ kind: 'attachedPatch', mailId: 1 }];
		const joined = text.replace('+two', '+two or more');
		const noDiff = { kind: 'noDiff', mailId: 1 };
		const disordered = { kind: 'wrongPrefix', written: 'PATCH', usual: undefined };
		const unread = makeSeriesMail({ subject: '[PATCH] [v2] a', body: 'See below.\n' });
		assert.deepEqual(readSeries([unread]).problems, [disordered, noDiff]);
		for (const [change, problems] of [
			[{ body: text, attachments: [attachment(undefined), attachment('Nothing.\n')] }, []],
			[{ body: 'See below.\n', attachments: [attachment(undefined)] }, [{ kind: 'noDiff', mailId: 1 }]],
			[{ body: 'See below.\n', attachments: [attachment('Nothing.\n')] }, [{ kind: 'noDiff', mailId: 1 }]],
			[{ body: 'See below.\n', attachments: [attachment(undefined), attachment(text)] }, attached],
			[{ body: text, attachments: [attachment(patchText('b.c'))] }, attached],
			[{ body: text, text: joined, isFlowed: true }, [{ kind: 'flowed', mailId: 1 }]],
			[
				{ body: text.replace('+two', '+two \nor more'), text: joined, isFlowed: true, attachments: [attachment('')] },
				[{ kind: 'flowed', mailId: 1 }],
			],
		] as const) {
			const found = problemsOf(change).filter(({ kind }) => kind !== 'inDoubt');
			assert.deepEqual(found, problems, JSON.stringify(change));
		}
	});
});
