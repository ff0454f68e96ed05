import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DraftComment, MovedFrom, Suggestion } from 'patchmail/review/reviewDraft.ts';
import type { Drafts } from '../../../../src/store/drafts/drafts.ts';
import { moveBack, moveComment, settleMoves } from '../../../../src/store/drafts/movedDrafts.ts';
import {
	forgetSent,
	forgetWholeOf,
	keepComment,
	nothing,
	reviewDraft,
	reviewSubject,
} from '../../../../src/store/drafts/reviewDrafts.ts';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../src/machine/storage/keptDrafts.ts';

const list = { owner: '~alice', name: 'devel' };
const earlier = { connectionKey: 'sample-alice', ref: { list, id: 12 } };
const later = { connectionKey: 'sample-alice', ref: { list, id: 13 } };
const at = (messageId: string, line: number) =>
	({ kind: 'lines', messageId, file: 0, side: 'new', firstLine: line, line }) as const;
const suggestion: Suggestion = { firstLine: 4, rows: ['-one', '+two'] };
const moved: MovedFrom = {
	patchset: 12,
	version: 1,
	place: at('<m1@x>', 5),
	suggestion,
	isChanged: false,
	lines: ['+one'],
};
const before: DraftComment = { id: 'a', place: moved.place, text: 'Why?', suggestion };
const after = { ...before, place: at('<m2@x>', 8), suggestion: { ...suggestion, firstLine: 7 }, moved };

class Killed extends Error {}

suite('drafts that move to a later version', () => {
	let folder: string;
	let ms = 0;
	setup(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'forge-desk-drafts-')), 'drafts');
	});
	teardown(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

	const openWindow = (name: string): Drafts => keptDrafts(draftFiles(folder), name);
	const now = (): number => (ms += 1);

	/** A window whose writes call `step` first. */
	function steppingWindow(name: string, step: () => void | Promise<void>): Drafts {
		const drafts = openWindow(name);
		return {
			...drafts,
			keep: async (about, draft) => (await step(), drafts.keep(about, draft)),
			forget: async (entry) => (await step(), drafts.forget(entry)),
		};
	}

	/** Text and suggestion of the drafts, by patchset. */
	function left(of: DraftComment): readonly unknown[] {
		const drafts = openWindow('reader');
		return [earlier, later].flatMap((review) =>
			reviewDraft(drafts, review).comments.map(({ text, suggestion: suggested, place }) => {
				assert.equal(text, of.text);
				assert.deepEqual(suggested?.rows, of.suggestion?.rows);
				return [review.ref.id, place.kind === 'lines' && place.line, suggested?.firstLine];
			}),
		);
	}

	for (const [name, text, hasSuggestion] of [
		['a text', 'Why?', false],
		['a suggestion', '', true],
		['both', 'Why?', true],
	] as const) {
		const from: DraftComment = { ...before, text, suggestion: hasSuggestion ? before.suggestion : undefined };
		const origin = { ...moved, suggestion: from.suggestion };
		const to = { ...after, text, suggestion: hasSuggestion ? after.suggestion : undefined, moved: origin };
		const atStart = [[12, 5, hasSuggestion ? 4 : undefined]];
		const atEnd = [[13, 8, hasSuggestion ? 7 : undefined]];
		const back = (drafts: Drafts): Promise<void> => moveBack(drafts, later, to, now());
		const there = (drafts: Drafts): Promise<void> => moveComment(drafts, later, to, now());
		const ways = [
			['there', there, async () => undefined, atStart, atEnd],
			['back', back, there, atEnd, atStart],
		] as const;
		for (const [way, run, prepare, start, end] of ways) {
			test(`survive a kill at any step on their way ${way}, once and whole: ${name}`, async () => {
				let steps = Infinity;
				for (let kill = 1; kill < steps; kill += 1) {
					rmSync(folder, { recursive: true, force: true });
					await keepComment(openWindow('writer'), earlier, from, now());
					await prepare(openWindow('writer'));
					let done = 0;
					const window = steppingWindow('killed', () => {
						done += 1;
						if (done === kill) {
							throw new Killed();
						}
					});
					const isKilled = await run(window).then(
						() => false,
						(error) => error instanceof Killed,
					);
					steps = isKilled ? steps : kill;
					await settleMoves(openWindow('next'), now());
					const found = left(from);
					assert.ok(
						[start, end].some((each) => JSON.stringify(each) === JSON.stringify(found)),
						`after step ${kill}: ${JSON.stringify(found)}`,
					);
				}
				assert.deepEqual(left(from), end);
				assert.ok(steps > 3);
			});

			test(`end once and whole if another window settles at any step on their way ${way}: ${name}`, async () => {
				await keepComment(openWindow('writer'), earlier, from, now());
				await prepare(openWindow('writer'));
				const other = openWindow('other');
				await run(steppingWindow('moving', () => settleMoves(other, now())));
				await settleMoves(other, now());
				assert.deepEqual(left(from), end);
			});
		}
	}

	test('keep a newer text of another window on the earlier version', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		await keepComment(one, earlier, before, now());
		reviewDraft(two, earlier);
		await keepComment(two, earlier, { ...before, text: 'Why not?' }, now());
		await moveComment(two, later, after, now());
		await settleMoves(openWindow('three'), now());
		const texts = [earlier, later].map((of) => reviewDraft(openWindow('reader'), of).comments.map(({ text }) => text));
		assert.deepEqual(texts, [['Why not?'], ['Why?']]);
	});

	test('take their present text back', async () => {
		const drafts = openWindow('one');
		await keepComment(drafts, earlier, before, now());
		await moveComment(drafts, later, after, now());
		await keepComment(drafts, later, { ...after, text: 'Why now?' }, now());
		await moveBack(drafts, later, { ...after, text: 'Why now?' }, now());
		assert.deepEqual(left({ ...before, text: 'Why now?' }), [[12, 5, 4]]);
	});

	test('leave nothing behind when sent, discarded or emptied', async () => {
		for (const end of [
			(drafts: Drafts) => forgetSent(drafts, later, { ...nothing, comments: reviewDraft(drafts, later).comments }),
			(drafts: Drafts) => forgetWholeOf(drafts, reviewSubject(later, { kind: 'comment', id: 'a', place: after.place })),
			async (drafts: Drafts) => {
				await keepComment(drafts, later, { ...after, text: '', suggestion: undefined }, now());
				await settleMoves(drafts, now());
			},
		]) {
			const drafts = openWindow('one');
			const plain = { ...before, suggestion: undefined };
			await keepComment(drafts, earlier, plain, now());
			await moveComment(
				drafts,
				later,
				{ ...after, suggestion: undefined, moved: { ...moved, suggestion: undefined } },
				now(),
			);
			assert.deepEqual(left(plain), [[13, 8, undefined]]);
			await end(drafts);
			assert.deepEqual(drafts.all(), []);
		}
	});
});
