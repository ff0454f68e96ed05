import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DraftPlace, ReviewDraft, ReviewPart } from 'patchmail/review/reviewDraft.ts';
import { draftSubjectOf, draftKey, type Drafts } from '../../../../src/store/drafts/drafts.ts';
import {
	forgetSent,
	keepMailEdit,
	reviewDraft,
	reviewSubject,
	type Reviewed,
} from '../../../../src/store/drafts/reviewDrafts.ts';
import { draftFiles } from '../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../src/machine/storage/keptDrafts.ts';

const of: Reviewed = { connectionKey: 'sample-alice', ref: { list: { owner: '~alice', name: 'devel' }, id: 12 } };
const messageId = '<patch-1@forge.test>';
const lines = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 3, line: 5 } as const;
const onLines: ReviewPart = { kind: 'comment', id: 'a', place: lines };
const onPatch: ReviewPart = { kind: 'comment', id: 'b', place: { kind: 'mail', messageId } };
const suggested: ReviewPart = { kind: 'suggestion', id: 'a', place: lines };
const trailer: ReviewPart = { kind: 'trailer', messageId };
const suggestion = { firstLine: 2, rows: [' ', '-one', '+', '\\ No newline at end of file'] };

suite('review draft', () => {
	let folder: string;
	setup(() => {
		folder = join(mkdtempSync(join(tmpdir(), 'forge-desk-drafts-')), 'drafts');
	});
	teardown(() => rmSync(join(folder, '..'), { recursive: true }));

	const openWindow = (name: string): Drafts => keptDrafts(draftFiles(folder), name);
	let ms = 0;
	const keep = (drafts: Drafts, part: ReviewPart, text: string): Promise<void> =>
		drafts.keep(reviewSubject(of, part), { text, atMs: (ms += 1) });
	const textsOf = ({ comments }: ReviewDraft): readonly string[] => comments.map(({ text }) => text);

	test('is complete in the next window after a kill', async () => {
		const one = openWindow('one');
		await keep(one, onLines, 'Why?');
		await keep(one, suggested, JSON.stringify(suggestion));
		await keep(one, onPatch, 'Fine');
		await keep(one, trailer, 'Acked-by');
		await keep(one, { kind: 'status' }, 'approved');
		const madeFrom = {
			text: 'To: a@b.test',
			comments: [{ id: 'b', text: 'Fine' }],
		};
		await keepMailEdit(one, of, messageId, { text: 'To: c@d.test', madeFrom }, (ms += 1));
		assert.deepEqual(reviewDraft(openWindow('two'), of), {
			comments: [
				{ id: 'a', place: lines, text: 'Why?', suggestion },
				{ id: 'b', place: { kind: 'mail', messageId }, text: 'Fine', suggestion: undefined },
			],
			trailers: new Map([[messageId, 'Acked-by']]),
			status: 'approved',
			edits: new Map([[messageId, { text: 'To: c@d.test', madeFrom }]]),
		});
		assert.deepEqual(textsOf(reviewDraft(openWindow('two'), { ...of, ref: { ...of.ref, id: 13 } })), []);
	});

	test('merges changes from all windows', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		await keep(one, onLines, 'Why');
		await keep(two, onPatch, 'Fine');
		await keep(one, onLines, 'Why not?');
		await keep(one, onPatch, '');
		assert.deepEqual(textsOf(reviewDraft(openWindow('three'), of)), ['Fine', 'Why not?']);
		await keep(two, onPatch, '');
		assert.deepEqual(textsOf(reviewDraft(one, of)), ['Why not?']);
	});

	test('forgets a sent mail together with its source, even if the source is damaged', async () => {
		const [one, two] = [openWindow('one'), openWindow('two')];
		const [mail, made]: readonly ReviewPart[] = [
			{ kind: 'mail', messageId },
			{ kind: 'mailMadeFrom', messageId },
		];
		assert.ok(mail && made);
		await keep(one, mail, 'To: c@d.test');
		await keep(one, made, '{"text":');
		await keep(two, made, 'torn');
		const { edits } = reviewDraft(one, of);
		assert.deepEqual(edits, new Map([[messageId, { text: 'To: c@d.test', madeFrom: undefined }]]));
		await forgetSent(one, of, { comments: [], trailers: new Map(), status: undefined, edits });
		assert.deepEqual(openWindow('three').all(), []);
	});

	test('forgets the sent parts and keeps later changes', async () => {
		const one = openWindow('one');
		await keep(one, onLines, 'Why?');
		await keep(one, suggested, JSON.stringify(suggestion));
		await keep(one, onPatch, 'Fine');
		await keep(one, trailer, 'Acked-by');
		const sent = reviewDraft(one, of);
		await keep(one, onPatch, 'Fine, but');
		await forgetSent(one, of, sent);
		assert.deepEqual(reviewDraft(openWindow('two'), of), {
			comments: [{ id: 'b', place: { kind: 'mail', messageId }, text: 'Fine, but', suggestion: undefined }],
			trailers: new Map(),
			status: undefined,
			edits: new Map(),
		});
	});

	test('has no edited mail if only a damaged source remains', async () => {
		const one = openWindow('one');
		await keep(one, { kind: 'mailMadeFrom', messageId }, '{"text":1}');
		assert.deepEqual([...reviewDraft(one, of).edits], []);
		await keep(one, { kind: 'mail', messageId }, 'To: c@d.test');
		assert.deepEqual([...reviewDraft(one, of).edits], [[messageId, { text: 'To: c@d.test', madeFrom: undefined }]]);
	});

	test('has the same key for equal parts', () => {
		const places: readonly DraftPlace[] = [
			lines,
			{ kind: 'file', messageId, file: 2 },
			{ kind: 'text', messageId, part: 'message', line: 4 },
			{ kind: 'mail', messageId },
		];
		const parts = [...places.map((place): ReviewPart => ({ kind: 'comment', id: 'a', place })), suggested, trailer];
		for (const part of [...parts, { kind: 'status' } as const, { kind: 'sending' } as const]) {
			const about = reviewSubject(of, part);
			assert.deepEqual(draftSubjectOf(draftKey(about)), about);
		}
		const turned = { line: 5, firstLine: 3, side: 'new', file: 0, messageId, kind: 'lines' } as const;
		assert.equal(
			draftKey(reviewSubject(of, { place: turned, id: 'a', kind: 'comment' })),
			draftKey(reviewSubject(of, onLines)),
		);
	});

	test('ignores invalid parts and damaged suggestions', async () => {
		const key = draftKey(reviewSubject(of, onLines));
		const damages: readonly (readonly [from: string, to: string])[] = [
			['"file":0', '"file":-1'],
			['"file":0', '"file":0.5'],
			['"side":"new"', '"side":"up"'],
			['"kind":"lines"', '"kind":"words"'],
			[',12,', ',"12",'],
		];
		for (const [from, to] of damages) {
			assert.ok(key.includes(from), from);
			assert.equal(draftSubjectOf(key.replace(from, to)), undefined, to);
		}
		const one = openWindow('one');
		await keep(one, onLines, 'Why?');
		for (const damaged of ['{"firstLine":1,"rows":[1]}', '{"firstLine":1,"rows":["no sign"]}', '{"rows":[" "]}']) {
			await keep(one, suggested, damaged);
			assert.deepEqual(reviewDraft(openWindow('two'), of).comments, [
				{ id: 'a', place: lines, text: 'Why?', suggestion: undefined },
			]);
		}
	});
});
