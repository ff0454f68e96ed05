import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { CommentThreads } from '../../../../../src/features/review/comments/commentThreads.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { PatchView } from '../../../../../src/editor/patchDocuments/patchUri.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts, noPages } from '../../../../support/fakeListsParts.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { sideBySide } from '../../../../support/sideBySide.ts';
import {
	resetStub,
	stubbed,
	stubbedTabs,
	TextEditorRevealType,
	TabInputCustom,
	TabInputText,
	TabInputTextDiff,
	window,
} from '../../../../support/vscodeValues.ts';

const { commentCommands } = await import('../../../../../src/features/review/patchset/commentCommands.ts');
const { commentEditors } = await import('../../../../../src/features/review/patchset/commentCommands.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { patchFiles } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');
const { Range, Selection } = await import('vscode');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'devel' };

/** Replies to the first patch on a removed and an added line, to the third one, and to the cover letter. */
const replies: readonly Email[] = [
	replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n\n> +\treturn found;\n\nMay be NULL.\n'),
	replyMail(32, 23, '> +int b;\n\nIs it used?\n'),
	replyMail(33, 20, 'What for?\n'),
];

/** A stubbed editor. */
interface Editor {
	readonly document: { readonly uri: ReturnType<typeof patchUri> };
	selection: InstanceType<typeof Selection>;
	readonly revealRange: (range: InstanceType<typeof Range>, how: number) => void;
}

function situation(sent: readonly Email[] = replies) {
	const { api, world } = patchsetWorld();
	world.mails.push(...sent);
	const connection = listConnection(api);
	let front: unknown;
	const parts = {
		...listsParts(fakeConnections(connection)),
		pages: { ...noPages, dispose: () => undefined, inFront: () => front },
	};
	const unfolded: string[] = [];
	const missing = new Set<string>();
	const threads = fake<CommentThreads>({ unfold: async (_, key) => unfolded.push(key) > 0 && !missing.has(key) });
	const commands = commentCommands(parts, commentEditors(parts, patchFiles(parts), threads));
	const editorOf = (view: PatchView, mailId = 21): Editor => ({
		document: { uri: patchUri({ connectionKey: connection.key, list, patchsetId: 2, mailId, view }, 'a.c') },
		selection: new Selection(0, 0, 0, 0),
		revealRange: (_, how) => void unfolded.push(how === TextEditorRevealType.InCenter ? 'centre' : 'else'),
	});
	const before = editorOf({ kind: 'before', fileIndex: 0 });
	const after = editorOf({ kind: 'after', fileIndex: 0 });
	const third = editorOf({ kind: 'asItCame', fileIndex: 0 }, 23);
	window.visibleTextEditors.push(before, after, third);
	/** Makes a diff the active tab, as opening it does. */
	const show = (input: unknown): void => {
		stubbedTabs.splice(0, Number.POSITIVE_INFINITY, { label: 'opened', input, isActive: true });
	};
	const opened = {
		textDiffs: [
			{ original: before.document.uri, modified: after.document.uri },
			{ original: third.document.uri, modified: third.document.uri },
		],
	};
	show(opened);
	return {
		before,
		after,
		third,
		unfolded,
		missing,
		show,
		/** Address of a file without lines. */
		picture: (mailId: number) => editorOf({ kind: 'only', fileIndex: 0 }, mailId).document.uri,
		setFront: (next: unknown) => (front = next),
		comment: (id: number, index: number) => ({
			kind: 'mail',
			connectionKey: connection.key,
			list,
			id,
			messageId: `<m${id}@forge.test>`,
			patchsetId: 2,
			comment: index,
		}),
		patchset: { kind: 'patchset', connectionKey: connection.key, ref: { list, id: 2 } },
		inEditor: (editor: Editor | undefined) => Object.assign(window, { activeTextEditor: editor }),
		run: (command: CommandId, subject?: unknown) => commands[command]?.(subject, never, []),
	};
}

const openedFiles = (): readonly unknown[] =>
	stubbed.passed.filter((each) => typeof each === 'object' && each !== null && 'fileIndex' in each);

suite('comment navigation', () => {
	setup(() => {
		resetStub();
		sideBySide();
	});
	teardown(() => void Object.assign(window, { activeTextEditor: undefined }));

	test('opens a comment in the diff of its file, at its line and side, expanded before it scrolls there', async () => {
		const { run, comment, before, after, unfolded, show } = situation();
		show(new TabInputTextDiff(before.document.uri, after.document.uri));
		await run('forge.comments.open', comment(31, 1));
		assert.deepEqual(openedFiles(), [
			{ kind: 'patchFile', connectionKey: 'sample-alice', list, patchsetId: 2, mailId: 21, fileIndex: 0, at: 431 },
		]);
		assert.equal(stubbed.executed.at(-1), 'workbench.action.compareEditor.focusPrimarySide');
		assert.deepEqual([after.selection.active.line, unfolded], [41, ['line 21 0 new 42', 'centre']]);
		await run('forge.comments.open', comment(31, 0));
		assert.equal(stubbed.executed.at(-1), 'workbench.action.compareEditor.focusSecondarySide');
		assert.deepEqual([before.selection.active.line, unfolded.at(-2)], [40, 'line 21 0 old 41']);
	});

	test('steps through comments on removed lines on the new side where the old one may be hidden', async () => {
		stubbed.settings.clear();
		const { run, patchset, setFront, before, after, unfolded, show, inEditor } = situation();
		show(new TabInputTextDiff(before.document.uri, after.document.uri));
		setFront(patchset);
		await run('forge.comments.next');
		assert.equal(stubbed.executed.at(-1), 'workbench.action.compareEditor.focusPrimarySide');
		assert.deepEqual([after.selection.active.line, unfolded.at(-2)], [40, 'line 21 0 old 41']);
		inEditor(after);
		await run('forge.comments.next');
		assert.deepEqual([after.selection.active.line, unfolded.at(-2)], [41, 'line 21 0 new 42']);
		await run('forge.comments.previous');
		assert.deepEqual([after.selection.active.line, unfolded.at(-2)], [40, 'line 21 0 old 41']);
	});

	test('opens a comment that the editor does not show in its thread, and counts none as shown', async () => {
		const { run, comment, before, after, missing, show, inEditor } = situation();
		show(new TabInputTextDiff(before.document.uri, after.document.uri));
		inEditor(after);
		missing.add('line 21 0 new 42').add('line 21 0 old 41');
		await run('forge.comments.open', comment(31, 1));
		assert.equal(stubbed.executed.at(-1), 'forge.lists.openThread');
		inEditor(undefined);
		await run('forge.comments.next', comment(30, 0));
		missing.clear();
		stubbed.settings.set('comments.visible', false);
		await run('forge.comments.open', comment(31, 1));
		assert.equal(stubbed.executed.at(-1), 'forge.lists.openThread');
		await run('forge.comments.next', comment(30, 0));
		assert.deepEqual(stubbed.shown, [
			'Not shown as text. Comment 4 of 4, by Dora Reviewer: Is it used?',
			'Your setting comments.visible hides comments. Comment 4 of 4, by Dora Reviewer: Is it used?',
		]);
	});

	test('opens a comment outside the patches, or a removed one, in its thread', async () => {
		const { run, comment } = situation();
		await run('forge.comments.open', comment(33, 0));
		await run('forge.comments.open', comment(31, 9));
		assert.deepEqual(stubbed.executed, ['forge.lists.openThread', 'forge.lists.openThread']);
		await run('forge.comments.open');
		assert.deepEqual(stubbed.shown, ['Select a comment first.']);
	});

	test('leaves other tabs alone, and focuses no side in a document with only one', async () => {
		const { run, comment, after, third, show, inEditor } = situation();
		const elsewhere = { ...after, selection: new Selection(0, 0, 0, 0) };
		window.visibleTextEditors.unshift(elsewhere);
		inEditor(after);
		show(new TabInputText(after.document.uri));
		await run('forge.comments.open', comment(31, 1));
		assert.deepEqual([after.selection.active.line, elsewhere.selection.active.line], [41, 0]);
		assert.deepEqual(
			stubbed.executed.filter((command) => command.startsWith('workbench')),
			[],
		);
		// The user cancelled the diff, so the previous tab is still active.
		await run('forge.comments.open', comment(32, 0));
		assert.equal(third.selection.active.line, 0);
		assert.equal(stubbed.executed.at(-1), 'forge.lists.openThread');
	});

	test('reports comments that have no text document, and steps past them', async () => {
		const { run, patchset, setFront, show } = situation();
		show(undefined);
		setFront(patchset);
		await run('forge.comments.next');
		await run('forge.comments.next');
		assert.deepEqual(stubbed.shown, [
			'Not shown as text. Comment 1 of 4, by Dora Reviewer: Why not keep it?',
			'Not shown as text. Comment 2 of 4, by Dora Reviewer: Nice.',
		]);
	});

	test('starts at a picture, which has no cursor', async () => {
		const { run, show, picture } = situation([...replies, replyMail(37, 23, '> +int b;\n\nAgain?\n')]);
		show(new TabInputCustom(picture(21)));
		await run('forge.comments.next');
		show(new TabInputCustom(picture(23)));
		await run('forge.comments.next');
		await run('forge.comments.previous');
		assert.deepEqual(
			stubbed.shown.map((text) => text.replace(/^.*: /, '')),
			['Why not keep it?', 'Is it used?', 'Nice.'],
		);
	});

	test('forgets a comment without a text on the page of another patchset', async () => {
		const { run, patchset, setFront, show } = situation();
		show(undefined);
		setFront(patchset);
		await run('forge.comments.next');
		setFront({ ...patchset, ref: { list, id: 1 } });
		await run('forge.comments.goTo');
		assert.equal(stubbed.shown.at(-1), 'No reply comments on this patchset.');
	});

	test('steps through the patches in reading order and announces the position', async () => {
		const { run, patchset, setFront, inEditor, before, after, third } = situation();
		setFront(patchset);
		await run('forge.comments.next');
		for (const editor of [before, after, third]) {
			inEditor(editor);
			// The menu of an editor title passes its document.
			await run('forge.comments.next', editor === after ? editor.document.uri : undefined);
		}
		inEditor(third);
		await run('forge.comments.previous');
		assert.deepEqual(stubbed.shown, [
			'Comment 1 of 4, by Dora Reviewer: Why not keep it?',
			'Comment 2 of 4, by Dora Reviewer: Nice.',
			'Comment 4 of 4, by Dora Reviewer: Is it used?',
			'This is the last comment on the patches of this series.',
			'Comment 2 of 4, by Dora Reviewer: Nice.',
		]);
	});

	test('starts at the cursor, and steps past threads on the same line', async () => {
		const { run, inEditor, after } = situation([
			...replies,
			replyMail(35, 21, 'Good.\n'),
			replyMail(36, 21, '> Folds were a list.\n\nSince when?\n'),
		]);
		inEditor(after);
		await run('forge.comments.next');
		await run('forge.comments.next');
		await run('forge.comments.next');
		after.selection = new Selection(43, 0, 43, 0);
		await run('forge.comments.next');
		await run('forge.comments.previous', undefined);
		assert.deepEqual(
			stubbed.shown.map((text) => text.replace(/^.*: /, '')),
			['Good.', 'Since when?', 'Why not keep it?', 'Is it used?', 'Nice.'],
		);
	});

	test('lists all comments by patch, with questions marked', async () => {
		const { run, inEditor, third, after, show, before } = situation([
			...replies,
			replyMail(34, 32, '> Is it used?\n\nBy the next patch.\n', 'Bob Builder <bob@forge.test>'),
		]);
		show(new TabInputTextDiff(before.document.uri, after.document.uri));
		inEditor(third);
		stubbed.answers.push('May be NULL.');
		await run('forge.comments.goTo');
		assert.equal(after.selection.active.line, 41);
		const shown = stubbed.offered.map(({ label, detail = '' }) => [label, detail.replace(/ · [^·]*$/, '')]);
		assert.deepEqual(shown, [
			['Series and cover letter', ''],
			['What for?', 'Unanswered question · Dora Reviewer'],
			['1/4 fold: find in a tree', ''],
			['Why not keep it?', 'Unanswered question · Dora Reviewer · fold.c:41'],
			['Nice.', 'Dora Reviewer · fold.c:42'],
			['May be NULL.', 'Dora Reviewer · fold.c:42'],
			['3/4 fold: a long line', ''],
			['Is it used?', 'Dora Reviewer · long.c:3'],
			['By the next patch.', 'Bob Builder · long.c:3'],
		]);
		assert.deepEqual(stubbed.hints, ['6 comments · 2 unanswered questions']);
	});

	test('opens the thread of a listed comment outside the patches, and reports a patchset without comments', async () => {
		const { run, patchset } = situation();
		stubbed.answers.push('What for?');
		await run('forge.comments.goTo', patchset);
		assert.equal(stubbed.executed.at(-1), 'forge.lists.openThread');
		await run('forge.comments.goTo', { ...patchset, ref: { list, id: 1 } });
		await run('forge.comments.goTo');
		assert.deepEqual(stubbed.shown, [
			'No reply comments on this patchset.',
			'Open the diff of a patch or select a patchset first.',
		]);
	});

	test('steps to unanswered questions only', async () => {
		const { run, inEditor, before, third } = situation();
		inEditor(before);
		await run('forge.comments.nextUnanswered');
		inEditor(before);
		await run('forge.comments.nextUnanswered');
		inEditor(third);
		await run('forge.comments.nextUnanswered');
		await run('forge.comments.previousUnanswered');
		assert.deepEqual(stubbed.shown, [
			'Unanswered question, comment 1 of 4, by Dora Reviewer: Why not keep it?',
			'Unanswered question, comment 4 of 4, by Dora Reviewer: Is it used?',
			'No unanswered question after this place.',
			'Unanswered question, comment 1 of 4, by Dora Reviewer: Why not keep it?',
		]);
	});

	test('starts at a comment row, and asks for a patchset without a starting point', async () => {
		const { run, comment } = situation();
		await run('forge.comments.next', comment(31, 1));
		await run('forge.comments.next');
		assert.deepEqual(stubbed.shown, [
			'Comment 4 of 4, by Dora Reviewer: Is it used?',
			'Open the diff of a patch or select a patchset first.',
		]);
	});
});
