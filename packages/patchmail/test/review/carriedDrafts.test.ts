import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { carriedDrafts, type CarriedDraft } from '../../src/review/carriedDrafts.ts';
import type { RangePair } from '../../src/review/rangeDiff.ts';
import type { DraftComment, DraftPlace, Suggestion } from '../../src/review/reviewDraft.ts';
import type { SeriesMail, SeriesPatch } from '../../src/series/seriesReading.ts';
import { editLine, numberedLines } from '../../../../test/support/editedFile.ts';
import { makePatchMail } from '../../../../test/support/patchMails.ts';
import { standFor } from '../../../../test/support/standFor.ts';

function mail(id: number, text = ''): SeriesMail {
	return standFor<SeriesMail>({ id, messageId: `<m${id}@x>`, reading: { kind: 'read', mail: { text } } });
}

function patch(id: number, message: string, diff: string): SeriesPatch {
	return { mail: mail(id), patch: makePatchMail(`${message}\n---\n${diff}-- \n2.39.5\n`), index: 1 };
}

const head = 'diff --git a/a.c b/a.c\nindex 1234567..89abcde 100644\n--- a/a.c\n+++ b/a.c\n';
const earlier = patch(
	1,
	'Why.\n\nBecause.',
	`${head}@@ -10,5 +10,6 @@\n ten\n-old\n+new\n+more\n twelve\n thirteen\n end\n`,
);
/** Five lines further down, with one word changed and a line less. */
const later = patch(2, 'Summary.\n\nWhy.', `${head}@@ -15,5 +15,5 @@\n ten\n-old\n+newer\n twelve\n thirteen\n end\n`);
const pair: RangePair = { kind: 'changed', old: 0, new: 0, hunks: [] };

function lines(line: number, firstLine = line, side: 'old' | 'new' = 'new'): DraftPlace {
	return { kind: 'lines', messageId: '<m1@x>', file: 0, side, firstLine, line };
}

function carried(
	place: DraftPlace,
	{
		to = later,
		pairs = [pair],
		suggestion,
		covers = [undefined, undefined],
	}: {
		readonly to?: SeriesPatch | undefined;
		readonly pairs?: readonly RangePair[];
		readonly suggestion?: Suggestion;
		readonly covers?: readonly [SeriesMail | undefined, SeriesMail | undefined];
	} = {},
): CarriedDraft | undefined {
	const draft: DraftComment = { id: 'd', place, text: 'Why?', suggestion };
	const [found] = runAtOnce(
		carriedDrafts([draft], {
			earlier: { patches: [earlier], cover: covers[0] },
			later: { patches: [to], cover: covers[1] },
			pairs,
		}),
	);
	return found;
}

/** Kind, first and last line in the later version, and the earlier lines. */
function fateOf(...of: Parameters<typeof carried>): unknown {
	const { fate, lines: old } = carried(...of) ?? {};
	const place = fate && 'place' in fate ? fate.place : undefined;
	const at = place?.kind === 'lines' ? [place.messageId, place.firstLine, place.line] : [];
	return [fate?.kind, ...at, old?.join('|')];
}

suite('drafts on an earlier version', () => {
	test('move to the same lines, on both sides', () => {
		assert.deepEqual(fateOf(lines(14, 13)), ['same', '<m2@x>', 17, 18, ' twelve| thirteen']);
		assert.deepEqual(fateOf(lines(11, 11, 'old')), ['same', '<m2@x>', 16, 16, '-old']);
	});

	test('move to changed lines at the same spot, with the old lines', () => {
		assert.deepEqual(fateOf(lines(11)), ['changed', '<m2@x>', 16, 16, '+new']);
		assert.deepEqual(fateOf(lines(13, 10)), ['changed', '<m2@x>', 15, 17, ' ten|+new|+more| twelve'], 'a line went');
	});

	test('stay if the later version has no such spot', () => {
		const far = patch(3, 'Why.', `${head}@@ -90,4 +90,4 @@\n ninety\n-x\n+y\n twelve\n last\n`);
		assert.deepEqual(fateOf(lines(11), { to: far }), ['lost', '+new']);
		assert.deepEqual(fateOf(lines(13), { to: far }), ['lost', ' twelve'], 'an equal line of an unrelated hunk');
		assert.deepEqual(fateOf(lines(11), { pairs: [{ kind: 'removed', old: 0 }] }), ['lost', '+new']);
		const other = patch(4, 'Why.', head.replaceAll('a.c', 'b.c') + '@@ -1 +1 @@\n-one\n+eins\n');
		assert.deepEqual(fateOf(lines(11), { to: other }), ['lost', '+new']);
		assert.deepEqual(fateOf({ kind: 'file', messageId: '<m1@x>', file: 0 }, { to: other }), ['lost', '']);
	});

	test('keep their place on a patch that a partial re-roll keeps', () => {
		const place = lines(11);
		const suggestion = { firstLine: 11, rows: ['-new', '+newest'] };
		const { fate } = carried(place, { to: earlier, pairs: [], suggestion }) ?? {};
		assert.deepEqual(fate, { kind: 'same', place, suggestion });
	});

	test('find a line that only the whole files have', () => {
		const before = numberedLines('line', 60);
		const [one, other] = [editLine('a.c', before, 10, 'TEN'), editLine('a.c', `one more\n${before}`, 40, 'X')];
		const whole = (text: string, after: string) => () => ({ before: Buffer.from(text), after: Buffer.from(after) });
		const draft: DraftComment = { id: 'd', place: lines(30), text: 'Why?' };
		const versions = {
			earlier: { patches: [patch(1, 'Why.', one.diff)], cover: undefined },
			later: { patches: [patch(2, 'Why.', other.diff)], cover: undefined },
			pairs: [pair],
		};
		const [hidden] = runAtOnce(carriedDrafts([draft], versions));
		assert.equal(hidden?.fate.kind, 'lost', 'neither patch shows it');
		const [found] = runAtOnce(
			carriedDrafts([draft], {
				...versions,
				earlier: { ...versions.earlier, whole: whole(before, one.after) },
				later: { ...versions.later, whole: whole(`one more\n${before}`, other.after) },
			}),
		);
		const place = { kind: 'lines', messageId: '<m2@x>', file: 0, side: 'new', firstLine: 31, line: 31 };
		assert.deepEqual(found?.fate, { kind: 'same', place, suggestion: undefined });
	});

	test('move a suggestion with its unchanged lines, and keep it where they changed', () => {
		const fits: Suggestion = { firstLine: 13, rows: [' twelve', '-thirteen', '+13'] };
		const { fate } = carried(lines(14), { suggestion: fits }) ?? {};
		assert.deepEqual(fate?.kind === 'same' && fate.suggestion, { ...fits, firstLine: 17 });
		const besideChange: Suggestion = { firstLine: 12, rows: [' more', ' twelve', '-thirteen', '+13'] };
		assert.deepEqual(fateOf(lines(14), { suggestion: besideChange }), ['lost', ' thirteen']);
	});

	test('on a whole patch or file move with it, and those on a reply belong to no version', () => {
		const whole: DraftPlace = { kind: 'mail', messageId: '<m1@x>' };
		const same = (place: DraftPlace): unknown => ({ kind: 'same', place, suggestion: undefined });
		assert.deepEqual(carried(whole)?.fate, same({ kind: 'mail', messageId: '<m2@x>' }));
		const two = patch(
			5,
			'Why.',
			`${head.replaceAll('a.c', '0.c')}@@ -1 +1 @@\n-a\n+b\n${head}@@ -1 +1 @@\n-one\n+eins\n`,
		);
		const file: DraftPlace = { kind: 'file', messageId: '<m1@x>', file: 0 };
		assert.deepEqual(carried(file, { to: two })?.fate, same({ kind: 'file', messageId: '<m5@x>', file: 1 }));
		const reply: DraftPlace = { kind: 'mail', messageId: '<reply@x>' };
		assert.equal(carried(reply, { covers: [mail(8), mail(9)] }), undefined);
	});

	test('follow their line of a message, and stay if it is gone', () => {
		const at = (line: number): DraftPlace => ({ kind: 'text', messageId: '<m1@x>', part: 'message', line });
		const { fate } = carried(at(1)) ?? {};
		assert.deepEqual(fate, { kind: 'same', place: { ...at(3), messageId: '<m2@x>' }, suggestion: undefined });
		assert.deepEqual(fateOf(at(3)), ['lost', 'Because.']);
	});

	test('move from cover letter to cover letter, or to the first patch', () => {
		const covers = [mail(8, 'Hello.\nFast.'), mail(9, 'Fast.')] as const;
		const text: DraftPlace = { kind: 'text', messageId: '<m8@x>', part: 'text', line: 2 };
		const placeOf = (place: DraftPlace, of: Parameters<typeof carried>[1]): unknown => {
			const fate = carried(place, of)?.fate;
			return fate && 'place' in fate ? fate.place : fate?.kind;
		};
		assert.deepEqual(placeOf(text, { covers }), { ...text, messageId: '<m9@x>', line: 1 });
		assert.equal(placeOf({ ...text, line: 1 }, { covers }), 'lost');
		const whole: DraftPlace = { kind: 'mail', messageId: '<m8@x>' };
		assert.deepEqual(placeOf(whole, { covers }), { kind: 'mail', messageId: '<m9@x>' });
		const without = { covers: [covers[0], undefined] as const };
		assert.deepEqual(placeOf(whole, without), { kind: 'mail', messageId: '<m2@x>' });
		assert.equal(placeOf(text, without), 'lost');
	});

	test('are not those on a reply', () => {
		assert.equal(carried({ kind: 'mail', messageId: '<reply@x>' }), undefined);
	});
});
