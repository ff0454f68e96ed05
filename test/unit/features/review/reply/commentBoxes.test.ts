import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { PatchView } from '../../../../../src/editor/patchDocuments/patchUri.ts';
import type { Drafts } from '../../../../../src/store/drafts/drafts.ts';
import { draftFiles } from '../../../../../src/machine/storage/draftFiles.ts';
import { keptDrafts } from '../../../../../src/machine/storage/keptDrafts.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { sideBySide } from '../../../../support/sideBySide.ts';
import { steppingClock } from '../../../../support/steppingClock.ts';
import { stubbedDocuments, typeIn } from '../../../../support/stubbedDocuments.ts';
import {
	closeDocument,
	openDocument,
	resetStub,
	showEditors,
	stubbed,
	stubbedThreads,
	type StubbedThread,
} from '../../../../support/vscodeValues.ts';

const vscode = await import('vscode');
const { commentBoxes, typedComments } = await import('../../../../../src/features/review/reply/commentBoxes.ts');
const { commentThreads } = await import('../../../../../src/features/review/comments/commentThreads.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { patchFiles } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');
const { addTyped, keepComment, reviewDraft } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

/** A patchset with a reply to its first patch, with the patch’s new side open. */
async function situation(given?: Drafts) {
	const { api, world } = patchsetWorld();
	world.mails.push(replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n'));
	const connection = listConnection(api);
	const clock = fakeClock();
	const parts = { ...listsParts(fakeConnections(connection)), clock, ...(given ? { drafts: given } : {}) };
	const { drafts } = parts;
	const maker = () => vscode.comments.createCommentController('forge.replies', 'Replies');
	let isOpen: (id: string) => boolean = () => false;
	let count = 0;
	const isBeingTyped = (id: string): boolean => isOpen(id);
	const threads = commentThreads(parts, patchFiles(parts), undefined, isBeingTyped, maker);
	const typed = typedComments({ ...parts, newName: () => `box ${(count += 1)}` }, threads, 'forge.replies');
	isOpen = (id) => typed.isOpen(id);
	const commands = commentBoxes({ ...parts, newName: () => `draft ${(count += 1)}` }, threads, typed);
	const uriOf = (view: PatchView) =>
		patchUri({ connectionKey: connection.key, list, patchsetId: 2, mailId: 21, view }, 'src/fold.c');
	const [before, after] = [uriOf({ kind: 'before', fileIndex: 0 }), uriOf({ kind: 'after', fileIndex: 0 })];
	openDocument({ uri: after });
	openDocument({ uri: before });

	async function shown(uri = after): Promise<readonly StubbedThread[]> {
		await threads.unfold(uri, 'none');
		return [...stubbedThreads].filter((thread) => thread.uri.toString() === uri.toString());
	}
	await shown();
	await shown(before);
	const ranges = await threads.ranges(after, 50);
	const [range] = ranges?.ranges ?? [];
	assert.ok(range);
	const of = { connectionKey: connection.key, ref: { list: list, id: 2 } };
	return {
		world,
		drafts,
		after,
		before,
		shown,
		range,
		clock,
		of,
		review: () => reviewDraft(drafts, of),
		/** The thread that the editor creates for a new box on a line. */
		begun: (line: number, uri = after) => maker().createCommentThread(uri, new vscode.Range(line, 0, line, 0), []),
		run: (command: CommandId, subject: unknown) => commands[command]?.(subject, never, []),
	};
}

const textsOf = (threads: readonly StubbedThread[]): readonly (readonly string[])[] =>
	threads.map(({ comments }) =>
		comments.map(({ body, label }) => `${label ?? ''}: ${body.value.split('\n')[0] ?? ''}`),
	);

suite('comment boxes', () => {
	setup(() => {
		resetStub();
		sideBySide();
	});

	test('save a comment on a line immediately as a draft, and show it there', async () => {
		const { run, begun, shown, range, review, clock } = await situation();
		const line = range.start.line + 1;
		const box = begun(line);
		await run('forge.review.addComment', { thread: box, text: 'May be *NULL*.' });
		assert.deepEqual(
			stubbed.executed,
			['workbench.action.focusActiveEditorGroup'],
			'the keyboard is not lost with the box',
		);
		const [draft] = review().comments;
		assert.deepEqual(
			[draft?.text, draft?.place],
			[
				'May be *NULL*.',
				{ kind: 'lines', messageId: '<m21@forge.test>', file: 0, side: 'new', firstLine: 41, line: 41 },
			],
		);
		const threads = (await shown()).filter((thread) => thread.range.start.line === line);
		assert.deepEqual(textsOf(threads), [['Draft: May be \\*NULL\\*\\.']]);
		assert.ok(!threads.some((thread) => Object.is(thread, box)) && threads.every(({ canReply }) => canReply));
		assert.equal(threads[0]?.comments[0]?.contextValue, 'draft');
		assert.deepEqual(threads[0]?.comments[0]?.timestamp, new Date(clock.nowMs()), 'when it was written');
	});

	test('attach a comment below a reply to that reply’s thread', async () => {
		const { run, shown, review, before } = await situation();
		const [thread] = await shown(before);
		await run('forge.review.addComment', { thread, text: 'It leaks.' });
		assert.deepEqual(review().comments[0]?.place, {
			kind: 'text',
			messageId: '<m31@forge.test>',
			part: 'text',
			line: 3,
		});
		const after = await shown(before);
		assert.deepEqual(textsOf(after), [['Unanswered question: Why not keep it?', 'Draft: It leaks\\.']]);
		assert.equal(after[0], thread, 'the thread that somebody looks at stays');
	});

	test('edit a draft in place, save it on request, and restore it on cancel', async () => {
		const { run, begun, shown, range, review } = await situation();
		await run('forge.review.addComment', { thread: begun(range.start.line), text: 'First.' });
		const draft = async () =>
			(await shown()).flatMap(({ comments }) => comments).find(({ label }) => label === 'Draft');
		const edited = await draft();
		assert.ok(edited);
		await run('forge.review.editComment', edited);
		assert.deepEqual([edited.mode, edited.body], [vscode.CommentMode.Editing, 'First.']);
		await run('forge.review.cancelEdit', edited);
		assert.deepEqual([edited.mode, edited.body.value], [vscode.CommentMode.Preview, 'First\\.']);
		await run('forge.review.editComment', edited);
		// The editor writes the typed text into the comment.
		Object.assign(edited, { body: 'Second.' });
		await run('forge.review.saveComment', edited);
		assert.equal(review().comments[0]?.text, 'Second.');
		const saved = await draft();
		assert.deepEqual([saved?.mode, saved?.body.value], [vscode.CommentMode.Preview, 'Second\\.']);
	});

	test('keep an open box while other comments arrive', async () => {
		const { run, begun, shown, range } = await situation();
		await run('forge.review.addComment', { thread: begun(range.start.line), text: 'First.' });
		const [draft] = (await shown()).flatMap(({ comments }) => comments.filter(({ label }) => label === 'Draft'));
		assert.ok(draft);
		await run('forge.review.editComment', draft);
		const [thread] = (await shown()).filter(({ comments }) => comments.includes(draft));
		await run('forge.review.addComment', { thread, text: 'And another.' });
		const [now] = (await shown()).filter(({ comments }) => comments.includes(draft));
		assert.deepEqual([now?.comments.length, draft.mode], [2, vscode.CommentMode.Editing]);
	});

	test('discard a draft and its thread after a confirmation', async () => {
		const { run, begun, shown, range, review } = await situation();
		const threads = await shown();
		await run('forge.review.addComment', { thread: begun(range.start.line), text: 'Never mind.' });
		const [draft] = (await shown()).flatMap(({ comments }) => comments.filter(({ label }) => label === 'Draft'));
		stubbed.answers.push(undefined, 'Discard');
		await run('forge.review.discardComment', draft);
		assert.equal(review().comments.length, 1);
		await run('forge.review.discardComment', draft);
		assert.deepEqual([review().comments, await shown()], [[], threads]);
	});

	suite('in two windows', () => {
		let folder: string;
		setup(() => {
			folder = mkdtempSync(join(tmpdir(), 'forge-desk-drafts-'));
		});
		teardown(() => rmSync(folder, { recursive: true }));

		/** A draft of the other window, as shown here. */
		async function drawnHere() {
			const [here, there] = ['one', 'two'].map((name) => keptDrafts(draftFiles(folder), name));
			assert.ok(here && there);
			const made = await situation(here);
			const messageId = '<m21@forge.test>';
			const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 41, line: 41 } as const;
			const write = (text: string): Promise<void> => keepComment(there, made.of, { id: 'a', place, text }, 1);
			await write('First.');
			// A draft in this window also loads those of others.
			await keepComment(here, made.of, { id: 'b', place: { ...place, firstLine: 42, line: 42 }, text: 'Mine.' }, 1);
			const drafts = (await made.shown()).flatMap(({ comments }) => comments.filter(({ label }) => label === 'Draft'));
			const draft = drafts.find(({ body }) => body.value === 'First\\.');
			assert.ok(draft);
			return { ...made, write, draft, texts: () => made.review().comments.map(({ text }) => text) };
		}

		test('ask with the new text before they discard a draft changed in the other window', async () => {
			const { run, draft, write, texts } = await drawnHere();
			await write('Second thoughts.');
			stubbed.answers.push('Discard');
			await run('forge.review.discardComment', draft);
			assert.match(stubbed.details.at(-1) ?? '', /changed in another window, and is now "Second thoughts\."/);
			assert.deepEqual(texts(), ['Mine.']);
		});

		test('keep a draft that the other window changes during the question, with a message', async () => {
			const { run, draft, write, texts } = await drawnHere();
			stubbed.answers.push('Discard');
			const discarding = run('forge.review.discardComment', draft);
			assert.equal(stubbed.shown.at(-1), 'Discard this draft comment?');
			// The write reaches the disk before the answer.
			await Promise.all([write('Second thoughts.'), discarding]);
			assert.match(stubbed.shown.at(-1) ?? '', /^The draft comment has another text in another window, so it is kept/);
			assert.deepEqual(texts().toSorted(), ['Mine.', 'Second thoughts.']);
		});
	});

	test('show a suggested change below its draft, keep it through edits, and discard it with the draft', async () => {
		const { drafts, shown, run, review, of } = await situation();
		const threads = await shown();
		const place = {
			kind: 'lines',
			messageId: '<m21@forge.test>',
			file: 0,
			side: 'new',
			firstLine: 41,
			line: 41,
		} as const;
		const suggestion = { firstLine: 41, rows: ['-\tint *a;', '+\tint ```b;\u202E'] };
		await keepComment(drafts, of, { id: 's', place, text: 'Better so:', suggestion }, 2);
		const drawn = async () =>
			(await shown()).flatMap(({ comments }) => comments.filter(({ label }) => label === 'Draft'));
		const [draft] = await drawn();
		assert.ok(draft);
		assert.equal(draft.body.value, 'Better so\\:\n\n````diff\n-\tint *a;\n+\tint ```b;⟨U+202E⟩\n````');
		await run('forge.review.editComment', draft);
		assert.equal(draft.body, 'Better so:');
		Object.assign(draft, { body: 'Much better so:' });
		await run('forge.review.saveComment', draft);
		assert.deepEqual(review().comments, [{ id: 's', place, text: 'Much better so:', suggestion }]);
		const [edited] = await drawn();
		stubbed.answers.push('Discard');
		await run('forge.review.discardComment', edited);
		assert.deepEqual([review().comments, drafts.all(), await shown()], [[], [], threads]);
	});

	test('keep typed text after the box closes, and show it as not added', async () => {
		const { shown, run, review, clock, after } = await situation();
		const before = await shown();
		showEditors({ document: { uri: after } });
		let text = 'Half a sen';
		const uri = vscode.Uri.from({
			scheme: 'comment',
			authority: 'forge.replies',
			path: '/forge.desk/commentinput-1.md',
		});
		const box = { uri, isDirty: true, getText: () => text, save: () => Promise.resolve(true) };
		typeIn(box);
		clock.advance(1000);
		assert.deepEqual(
			review().comments.map((draft) => [draft.text, draft.place.kind]),
			[['Half a sen', 'file']],
		);
		assert.deepEqual(await shown(), before, 'nothing is drawn below what is being typed');
		closeDocument(box);
		const threads = await shown();
		assert.deepEqual(textsOf(threads).at(-1), ['Typed, not added: Half a sen']);
		const [draft] = threads.at(-1)?.comments ?? [];
		Object.assign(draft ?? {}, { body: 'Half a sentence.' });
		await run('forge.review.saveComment', draft);
		assert.deepEqual(textsOf(await shown()).at(-1), ['Draft: Half a sentence\\.']);
		assert.equal(review().comments.length, 1);
		// Cancelling empties the box.
		typeIn(box);
		clock.advance(1000);
		assert.equal(review().comments.length, 2);
		text = '';
		typeIn(box);
		assert.equal(review().comments.length, 1);
	});

	for (const end of ['\n', '\r\n']) {
		test(`don’t keep an added text twice when the editor closes its box with ${JSON.stringify(end)}`, async () => {
			const { run, begun, shown, range, review, clock, after } = await situation();
			showEditors({ document: { uri: after } });
			const uri = vscode.Uri.from({
				scheme: 'comment',
				authority: 'forge.replies',
				path: '/forge.desk/commentinput-1.md',
			});
			const box = { uri, isDirty: true, getText: () => `May be${end}NULL.`, save: () => Promise.resolve(true) };
			typeIn(box);
			clock.advance(1000);
			typeIn(box);
			await run('forge.review.addComment', { thread: begun(range.start.line), text: `May be${end}NULL.` });
			clock.advance(1000);
			closeDocument(box);
			await shown();
			assert.deepEqual(
				review().comments.map(({ text, place }) => [text, place.kind]),
				[[`May be${end}NULL.`, 'lines']],
			);
		});
	}

	/** A draft with an open box of that text. */
	async function edited(text: string) {
		const made = await situation();
		await made.run('forge.review.addComment', { thread: made.begun(made.range.start.line), text });
		const comment = async (label: string) =>
			(await made.shown()).flatMap(({ comments }) => comments).find((each) => each.label === label);
		const edit = async () => {
			const draft = await comment('Draft');
			await made.run('forge.review.editComment', draft);
			return draft;
		};
		let now = '';
		let count = 0;
		const open = () => {
			const uri = vscode.Uri.from({ scheme: 'comment', authority: '', path: `/commentinput-1-${(count += 1)}.md` });
			const box = { uri, isDirty: true, getText: () => now, save: () => Promise.resolve(true) };
			now = '';
			openDocument(box);
			now = text;
			typeIn(box);
			return box;
		};
		const type = (box: ReturnType<typeof open>, next: string): void => {
			now = next;
			typeIn(box);
			made.clock.advance(1000);
		};
		const texts = (): readonly string[] => made.review().comments.map((each) => each.text);
		return { ...made, comment, edit, open, type, texts };
	}

	test('keep text typed during an edit separately, and save it as the draft on request', async () => {
		const { edit, open, type, texts, comment, review, run } = await edited('First.');
		await edit();
		const box = open();
		assert.deepEqual(texts(), ['First.'], 'nothing is typed yet');
		type(box, 'First of all.');
		assert.deepEqual(texts(), ['First.', 'First of all.']);
		assert.deepEqual(review().comments[1]?.place, review().comments[0]?.place);
		assert.equal(await comment('Typed, not added'), undefined, 'nothing is drawn beside what is being typed');
		// The window ends here, or its tab closes.
		closeDocument(box);
		const left = await comment('Typed, not added');
		assert.ok(left);
		assert.equal(left.body.value, 'First of all\\.');
		Object.assign(left, { body: 'First of all, thanks.' });
		await run('forge.review.saveComment', left);
		assert.deepEqual(texts(), ['First of all, thanks.']);
	});

	test('keep nothing extra after a draft is saved or the edit is cancelled', async () => {
		const { edit, open, type, texts, run } = await edited('First.');
		const given = await edit();
		const first = open();
		type(first, 'First of all.');
		await run('forge.review.cancelEdit', given);
		closeDocument(first);
		assert.deepEqual(texts(), ['First.']);
		const saved = await edit();
		const second = open();
		type(second, 'First of all.');
		Object.assign(saved ?? {}, { body: 'First of all.' });
		await run('forge.review.saveComment', saved);
		closeDocument(second);
		assert.deepEqual(texts(), ['First of all.']);
	});

	test('keep text typed in the next edit during a save', async () => {
		const { edit, open, type, texts, run, drafts } = await edited('First.');
		const saved = await edit();
		const first = open();
		const written = Promise.withResolvers<void>();
		const real = { ...drafts };
		Object.assign(drafts, {
			keep: async (...given: Parameters<typeof drafts.keep>) => {
				await real.keep(...given);
				await written.promise;
			},
		});
		Object.assign(saved ?? {}, { body: 'First.' });
		const saving = run('forge.review.saveComment', saved);
		closeDocument(first);
		await edit();
		const next = open();
		type(next, 'First of all.');
		written.resolve();
		await saving;
		assert.deepEqual(texts(), ['First.', 'First of all.']);
	});

	test('don’t keep text again when its box closes after the drafts list added it', async () => {
		const { drafts, of, review, clock, after } = await situation();
		showEditors({ document: { uri: after } });
		const path = '/forge.desk/commentinput-1.md';
		const uri = vscode.Uri.from({ scheme: 'comment', authority: 'forge.replies', path });
		const box = { uri, isDirty: true, getText: () => 'Half a sen', save: () => Promise.resolve(true) };
		typeIn(box);
		clock.advance(1000);
		const [typed] = review().comments;
		assert.ok(typed);
		await addTyped(drafts, of, typed, typed.text, 1);
		closeDocument(box);
		assert.deepEqual(
			review().comments.map(({ id }) => id),
			['box 1'],
		);
	});

	test('match a draft of several lines in its box despite Windows line endings', async () => {
		const { edit, open, type, texts, run } = await edited('First.\r\nSecond.');
		const draft = await edit();
		const box = open();
		type(box, 'First.\r\nSecond');
		assert.deepEqual(texts(), ['First.\r\nSecond.', 'First.\nSecond']);
		type(box, 'First.\r\nSecond.');
		assert.deepEqual(texts(), ['First.\r\nSecond.']);
		await run('forge.review.cancelEdit', draft);
	});

	test('keep text typed in an earlier window when the user edits the draft again', async () => {
		const { edit, open, type, texts, run } = await edited('First.');
		await edit();
		const before = open();
		type(before, 'First of all.');
		closeDocument(before);
		const draft = await edit();
		const box = open();
		type(box, 'Second.');
		assert.deepEqual(texts(), ['First.', 'First of all.', 'Second.']);
		await run('forge.review.cancelEdit', draft);
		assert.deepEqual(texts(), ['First.', 'First of all.']);
	});

	test('ignore edit boxes without the text of one of our drafts', async () => {
		const { edit, clock, texts } = await edited('First.');
		await edit();
		let theirs = 'Theirs';
		const uri = vscode.Uri.from({ scheme: 'comment', authority: '', path: '/commentinput-7-7.md' });
		const box = { uri, isDirty: true, getText: () => theirs, save: () => Promise.resolve(true) };
		openDocument(box);
		theirs = 'Theirs too';
		typeIn(box);
		clock.advance(1000);
		assert.deepEqual(texts(), ['First.']);
	});

	test('ignore boxes of other extensions', async () => {
		const { review, clock, after } = await situation();
		showEditors({ document: { uri: after } });
		const uri = vscode.Uri.from({
			scheme: 'comment',
			authority: 'github-review',
			path: '/github.pr/commentinput-1.md',
		});
		typeIn({ uri, isDirty: true, getText: () => 'Theirs', save: () => Promise.resolve(true) });
		clock.advance(1000);
		assert.deepEqual(review().comments, []);
	});

	test('exist only on lines that a reply can quote, and text from elsewhere opens as a document', async () => {
		const { run, begun, range, review } = await situation();
		const line = range.end.line + 5;
		await run('forge.review.addComment', { thread: begun(line), text: 'Where am I?' });
		assert.deepEqual(review().comments, []);
		assert.ok(stubbedDocuments.open.some((document) => document.getText() === 'Where am I?'));
	});

	test('work after three seconds without replies of a slow forge', async () => {
		const { api } = patchsetWorld();
		const connection = listConnection({ ...api, patchset: () => new Promise(() => undefined) });
		const clock = steppingClock(() => 0);
		const parts = listsParts(fakeConnections(connection), clock);
		const maker = () => vscode.comments.createCommentController('forge.replies', 'Replies');
		const threads = commentThreads(parts, patchFiles(parts), undefined, () => false, maker);
		const view = { kind: 'after', fileIndex: 0 } as const;
		const uri = patchUri({ connectionKey: connection.key, list, patchsetId: 2, mailId: 21, view }, 'src/fold.c');
		const asked = threads.ranges(uri, 50);
		await clock.pass(3200);
		const { ranges } = (await asked) ?? {};
		assert.equal(ranges?.length, 1);
		threads.dispose();
	});

	test('show drafts while the replies fail to load, and load them when the editor shows again', async () => {
		const { api, world } = patchsetWorld();
		const connection = listConnection(api);
		const parts = listsParts(fakeConnections(connection));
		const uri = patchUri(
			{ connectionKey: connection.key, list, patchsetId: 2, mailId: 21, view: { kind: 'after', fileIndex: 0 } },
			'src/fold.c',
		);
		const messageId = '<m21@forge.test>';
		const place = { kind: 'lines', messageId, file: 0, side: 'new', firstLine: 41, line: 41 } as const;
		await parts.drafts.keep(
			{
				kind: 'review',
				connectionKey: connection.key,
				ref: { list: list, id: 2 },
				part: { kind: 'comment', id: 'a', place },
			},
			{ text: 'Kept.', atMs: 1 },
		);
		world.before = (call) => {
			if (call.startsWith('patchset')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const maker = () => vscode.comments.createCommentController('forge.replies', 'Replies');
		const threads = commentThreads(parts, patchFiles(parts), undefined, () => false, maker);
		openDocument({ uri });
		await threads.unfold(uri, 'none');
		assert.deepEqual(textsOf([...stubbedThreads]), [['Draft: Kept\\.']]);
		world.before = () => undefined;
		showEditors({ document: { uri } });
		await threads.unfold(uri, 'none');
		assert.deepEqual(textsOf([...stubbedThreads]), [['Draft: Kept\\.'], [': Nice\\.']]);
	});
});
