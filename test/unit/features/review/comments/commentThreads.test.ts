import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Email } from 'sourcehut/port/list.ts';
import type { PatchView } from '../../../../../src/editor/patchDocuments/patchUri.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { sideBySide } from '../../../../support/sideBySide.ts';
import { steppingClock } from '../../../../support/steppingClock.ts';
import { stubbedDocuments } from '../../../../support/stubbedDocuments.ts';
import {
	closeDocument,
	openDocument,
	resetStub,
	stubbed,
	stubbedThreads,
	type StubbedThread,
} from '../../../../support/vscodeValues.ts';

const vscode = await import('vscode');
const { commentThreads } = await import('../../../../../src/features/review/comments/commentThreads.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { patchFiles } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');

const list = { owner: '~alice', name: 'devel' };
const isUnfolded = 1;
const isUnresolved = 0;

/** A patchset with a reply to its first patch and the given replies. Tests open its documents. */
function situation(...replies: readonly Email[]) {
	const { api, world } = patchsetWorld();
	world.mails.push(...replies);
	const connection = listConnection(api);
	const connections = fakeConnections(connection);
	const clock = steppingClock(() => 0);
	const parts = listsParts(connections, clock);
	const files = patchFiles(parts);
	const threads = commentThreads(
		parts,
		files,
		undefined,
		() => false,
		() => vscode.comments.createCommentController('replies', 'Replies'),
	);
	const uriOf = (view: PatchView, mailId = 21, number = '') =>
		patchUri({ connectionKey: connection.key, list, patchsetId: 2, mailId, view }, 'src/fold.c', number);
	type Opened = ReturnType<typeof uriOf>;
	return {
		connection,
		connections,
		threads,
		world,
		uriOf,
		clock,
		open: (uri: Opened): Promise<readonly StubbedThread[]> => {
			openDocument({ uri });
			return settled(uri);
		},
		settled,
		lineOf: async ({ uri, range }: StubbedThread): Promise<string | undefined> => {
			const opened = uriOf({ kind: 'after', fileIndex: 0 });
			const before = uriOf({ kind: 'before', fileIndex: 0 });
			const [document] = [opened, before].filter((each) => each.toString() === uri.toString());
			assert.ok(document);
			return new TextDecoder().decode(await files.readFile(document)).split('\n')[range.startLine];
		},
	};

	/** Threads of a document after all pending work. */
	async function settled(uri: Opened): Promise<readonly StubbedThread[]> {
		await threads.unfold(uri, 'none');
		return [...stubbedThreads].filter((thread) => thread.uri.toString() === uri.toString());
	}
}

function said(threads: readonly StubbedThread[]): readonly (readonly string[])[] {
	return threads.map((thread) => thread.comments.map(({ body }) => body.value.split('\n')[0] ?? ''));
}

suite('reply threads in patch documents', () => {
	setup(resetStub);

	test('are on the quoted line with author and text, and accept replies', async () => {
		const { open, uriOf, lineOf } = situation();
		const [thread, ...others] = await open(uriOf({ kind: 'after', fileIndex: 0 }));
		assert.ok(thread);
		assert.deepEqual([others, await open(uriOf({ kind: 'before', fileIndex: 0 }))], [[], []]);
		assert.equal(await lineOf(thread), '\treturn found;');
		assert.deepEqual(
			thread.comments.map(({ author, label }) => [author.name, label]),
			[['Dora Reviewer <dora@forge.test>', undefined]],
		);
		assert.match(thread.comments[0]?.body.value ?? '', /^Nice\\\.\n\nReviewed/);
		assert.equal(thread.canReply, true);
		for (const { body } of thread.comments) {
			assert.deepEqual([body.isTrusted, body.supportHtml, body.supportThemeIcons], [false, false, false]);
		}
	});

	for (const settings of [
		{},
		{ renderSideBySide: false },
		{ renderSideBySide: true, useInlineViewWhenSpaceIsLimited: true },
		{ renderSideBySide: false, useInlineViewWhenSpaceIsLimited: false },
	]) {
		test(`name their removed line on the new side where the old one may be hidden: ${JSON.stringify(settings)}`, async () => {
			Object.entries(settings).forEach(([name, value]) => stubbed.settings.set(`diffEditor.${name}`, value));
			const { open, uriOf, lineOf } = situation(
				replyMail(31, 21, '> -\treturn list[at];\n\nGood riddance.\n'),
				replyMail(32, 30, '> Nice.\n\nThank you.\n'),
			);
			assert.deepEqual(await open(uriOf({ kind: 'before', fileIndex: 0 })), []);
			const shown = await open(uriOf({ kind: 'after', fileIndex: 0 }));
			assert.deepEqual(said(shown), [['Good riddance\\.'], ['Nice\\.', 'Thank you\\.']]);
			const [removed] = shown;
			assert.ok(removed);
			assert.deepEqual(
				[removed.label, await lineOf(removed)],
				['On removed line 41', '\tstruct fold *found = tree_find(line);'],
			);
		});
	}

	test('move to the side that the settings of diffs leave visible', async () => {
		sideBySide();
		const { open, settled, uriOf } = situation(replyMail(31, 21, '> -\treturn list[at];\n\nGood riddance.\n'));
		const [before, after] = [uriOf({ kind: 'before', fileIndex: 0 }), uriOf({ kind: 'after', fileIndex: 0 })];
		const counts = async () => [(await settled(before)).length, (await settled(after)).length];
		await open(before);
		await open(after);
		assert.deepEqual(await counts(), [1, 1]);
		await vscode.workspace.getConfiguration('diffEditor').update('renderSideBySide', false);
		assert.deepEqual(await counts(), [0, 2]);
		await vscode.workspace.getConfiguration('diffEditor').update('renderSideBySide', true);
		assert.deepEqual(await counts(), [1, 1]);
	});

	test('are on the removed line of the old side, or above the first line without a line', async () => {
		sideBySide();
		const { open, uriOf, lineOf } = situation(
			replyMail(31, 21, '> -\treturn list[at];\n\nGood riddance.\n'),
			replyMail(32, 21, 'All of it looks good.\n'),
			replyMail(33, 21, '> Folds were a list.\n\nSince when?\n'),
		);
		const [removed, ...more] = await open(uriOf({ kind: 'before', fileIndex: 0 }));
		assert.ok(removed);
		assert.deepEqual([await lineOf(removed), more], ['\treturn list[at];', []]);
		const after = await open(uriOf({ kind: 'after', fileIndex: 0 }));
		assert.deepEqual(
			after.map(({ label, range, comments: [first] }) => [label, range.startLine, first?.body.value.split('\n')[0]]),
			[
				['On the patch', 0, 'All of it looks good\\.'],
				['On the commit message', 0, 'Since when?'],
				['', after[2]?.range.startLine, after[2]?.comments[0]?.body.value.split('\n')[0]],
			],
		);
		assert.match(after[1]?.comments[0]?.body.value ?? '', /\n\n> Folds were a list\\\.$/);
	});

	test('are on the lines of the raw text of a damaged patch', async () => {
		const { open, uriOf } = situation(replyMail(31, 23, '>  int first;\n> +int b;\n\nShorter.\n'));
		const [damaged] = await open(uriOf({ kind: 'asItCame', fileIndex: 0 }, 23));
		const [raw] = await open(uriOf({ kind: 'raw' }, 23));
		// Two lines are above the file in each document: a sentence and an empty line, or the message and `---`.
		assert.deepEqual([damaged?.range.startLine, raw?.range.startLine], [10, 10]);
	});

	test('offer the diff of a reply, and know its comment', async () => {
		const rows = [' \tstruct fold *found = tree_find(line);', '-\treturn found;', '+\treturn at;', ' }'];
		const diff = ['--- a/src/fold.c', '+++ b/src/fold.c', '@@ -41,3 +41,3 @@', ...rows];
		const indented = diff.map((line) => `    ${line}`).join('\n');
		const { open, uriOf, threads } = situation(
			replyMail(31, 21, `> +\treturn found;\n\nSuggested change:\n\n${indented}\n`),
			replyMail(32, 21, '> +\treturn found;\n\nWhy?\n'),
		);
		const shown = (await open(uriOf({ kind: 'after', fileIndex: 0 }))).flatMap(({ comments }) => comments);
		assert.deepEqual(
			shown.map(({ contextValue }) => contextValue),
			[undefined, 'suggestion', undefined],
		);
		assert.deepEqual(
			shown.map((comment) => threads.replyOf(comment)?.comment.mail.id),
			[30, 31, 32],
		);
		assert.equal(threads.replyOf({ ...shown[0] }), undefined);
	});

	test('are expanded while unanswered, and marked as open questions', async () => {
		const { open, uriOf } = situation(
			replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n'),
			replyMail(32, 30, '> Nice.\n\nThank you.\n', 'Bob Builder <bob@forge.test>'),
		);
		sideBySide();
		const [question] = await open(uriOf({ kind: 'before', fileIndex: 0 }));
		assert.deepEqual(
			[question?.collapsibleState, question?.state, question?.comments[0]?.label],
			[isUnfolded, isUnresolved, 'Unanswered question'],
		);
		const [answered] = await open(uriOf({ kind: 'after', fileIndex: 0 }));
		assert.deepEqual(said(answered ? [answered] : []), [['Nice\\.', 'Thank you\\.']]);
		assert.ok(answered);
		assert.notEqual(answered.collapsibleState, isUnfolded);
		assert.notEqual(answered.state, isUnresolved);
	});

	test('mark a misleading sender', async () => {
		const body = '> -\treturn list[at];\n\nWhy not keep it?\n';
		const { open, uriOf } = situation(replyMail(31, 21, body, '"bob@forge.test" <mallory@elsewhere.test>'));
		sideBySide();
		const [thread] = await open(uriOf({ kind: 'before', fileIndex: 0 }));
		assert.deepEqual(
			thread?.comments.map(({ author, label }) => [author.name, label]),
			[['"bob@forge.test" <mallory@elsewhere.test>', '⚠ Misleading sender · Unanswered question']],
		);
	});

	test('add an arriving message to its thread, and keep collapsed threads collapsed', async () => {
		const { open, settled, uriOf, world, connection } = situation(
			replyMail(31, 21, '> +\tstruct fold *found = tree_find(line);\n\nIs line from 0?\n'),
		);
		const uri = uriOf({ kind: 'after', fileIndex: 0 });
		const [asked, nice] = await open(uri);
		assert.ok(asked && nice);
		asked.collapsibleState = 0;
		const untouched = nice.comments;
		const late = replyMail(40, 31, '> Is line from 0?\n\nFrom 1.\n', 'Bob Builder <bob@forge.test>');
		world.mails.push(late);
		connection.lists.apply({ kind: 'mailArrived', list, mail: late });
		const after = await settled(uri);
		assert.deepEqual([after[0] === asked, after[1] === nice, after.length], [true, true, 2]);
		assert.deepEqual(said([asked]), [['Is line from 0?', 'From 1\\.']]);
		assert.deepEqual([asked.collapsibleState, asked.comments[0]?.label], [0, undefined]);
		assert.notEqual(asked.state, isUnresolved);
		assert.equal(nice.comments, untouched);
	});

	test('move to a line when a message arrives that shows the quoted one', async () => {
		const { open, settled, uriOf, world, connection } = situation(
			replyMail(32, 21, '> Is line from 0 there?\n\nFrom 1.\n', 'Bob Builder <bob@forge.test>'),
		);
		const uri = uriOf({ kind: 'after', fileIndex: 0 });
		const before = await open(uri);
		assert.deepEqual(
			before.map(({ label }) => label),
			['On the patch', ''],
		);
		const earlier = replyMail(31, 21, '> +\tstruct fold *found = tree_find(line);\n\nIs line from 0 there?\n');
		world.mails.push(earlier);
		connection.lists.apply({ kind: 'mailArrived', list, mail: earlier });
		const after = await settled(uri);
		assert.deepEqual(
			after.map(({ label }) => label),
			['', ''],
		);
		assert.ok(said(after).some((texts) => texts.join(' / ') === 'Is line from 0 there? / From 1\\.'));
	});

	test('remain if the thread fails to reload', async () => {
		const { open, settled, uriOf, world, connection } = situation();
		const uri = uriOf({ kind: 'after', fileIndex: 0 });
		const shown = await open(uri);
		world.before = (call) => {
			if (call.startsWith('thread')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		connection.lists.forget(list);
		assert.deepEqual([await settled(uri), shown.length], [shown, 1]);
		assert.ok(world.calls.filter((call) => call.startsWith('thread')).length > 1);
	});

	test('disappear with their document or account, and return with the account', async () => {
		const { open, settled, uriOf, connections, connection } = situation();
		const uri = uriOf({ kind: 'after', fileIndex: 0 });
		const inMany = uriOf({ kind: 'after', fileIndex: 0 }, 21, '1/4');
		assert.deepEqual([(await open(uri)).length, (await open(inMany)).length], [1, 1]);
		closeDocument({ uri: inMany });
		assert.deepEqual([(await settled(uri)).length, (await settled(inMany)).length], [1, 0]);
		connections.replace();
		assert.deepEqual(await settled(uri), []);
		connections.replace(connection);
		assert.equal((await settled(uri)).length, 1);
	});

	test('are complete before the editor learns which lines accept comments', async () => {
		const { uriOf, threads, clock } = situation();
		const uri = uriOf({ kind: 'after', fileIndex: 0 });
		const seen: (readonly unknown[])[] = [];
		// The editor asks when it has the text, and again for each place that shows it.
		const asked = [threads.ranges(uri, 50), threads.ranges(uri, 50)].map(async (answer) => {
			const lines = await answer;
			seen.push([lines?.ranges?.length, stubbedThreads.size]);
		});
		await eventually(async () => stubbedThreads.size, 1);
		await clock.pass(100);
		assert.deepEqual(seen, [], 'their state is on its way');
		await clock.pass(20);
		await Promise.all(asked);
		assert.deepEqual(seen, [
			[1, 1],
			[1, 1],
		]);
		assert.equal((await threads.ranges(uri, 50))?.ranges?.length, 1, 'at once for the next place');
	});

	test('appear in already open documents', async () => {
		const { uriOf } = situation();
		const uri = uriOf({ kind: 'after', fileIndex: 0 });
		stubbedDocuments.open.push({ uri, isDirty: false, getText: () => '', save: () => Promise.resolve(true) });
		const { settled } = situation();
		assert.equal((await settled(uri)).length, 1);
	});
});
