import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { titleIn } from '../../../../support/labelInName.ts';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { openQuestions } from 'patchmail/review/openQuestions.ts';
import { reviewComments } from 'patchmail/review/reviewComments.ts';
import { reviewThreads } from 'patchmail/review/reviewThreads.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { someTimeMs } from '../../../../support/makeTicket.ts';
import { patchsetWorld, replyMail } from '../../../../support/patchsetWorld.ts';
import { replyCorpus } from '../../../../support/replyCorpus.ts';

const { patchsetMailRows } = await import('../../../../../src/features/lists/tree/patchRows.ts');
const { commentsRow } = await import('../../../../../src/features/lists/tree/patchRows.ts');
const { commentSubject } = await import('../../../../../src/features/lists/subjects/subjects.ts');

const never = new AbortController().signal;
const top: TreeNode = {
	id: 'patchset',
	item: { label: 'Patchset' },
	parent: undefined,
	subject: 'the patchset',
};

/** The rows below patchset 2 after its messages have loaded. */
async function rowsOf(...replies: readonly Email[]) {
	const { api, world, ref } = patchsetWorld();
	world.mails.push(...replies);
	const connection = listConnection(api);
	const clock = fakeClock(someTimeMs);
	const parts = listsParts(fakeConnections(connection), clock);
	const below = (): Promise<readonly TreeNode[]> => patchsetMailRows(parts, top, connection, ref, never);
	await connection.reviews.read(ref, never);
	return { connection, ref, below, clock };
}

async function rowsBelow(row: TreeNode | undefined): Promise<readonly TreeNode[]> {
	return (await row?.children?.(never)) ?? [];
}

function spoken({ item }: Pick<TreeNode, 'item'>): string {
	return item.accessibilityInformation?.label ?? '';
}

async function told(rows: readonly TreeNode[] | undefined, depth = ''): Promise<readonly string[]> {
	const lines = await Promise.all(
		(rows ?? []).map(async ({ item, children }) => [
			`${depth}${[titleIn(item.label), item.description].filter((text) => typeof text === 'string').join(' | ')}`,
			...(await told(await children?.(never), `${depth}  `)),
		]),
	);
	return lines.flat();
}

suite('comment rows', () => {
	test('are below the patches by place, with their replies and a count of open questions', async () => {
		const { below } = await rowsOf(
			replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n\n> +\treturn found;\n\nMay be NULL.\n'),
			replyMail(32, 31, '> May be NULL.\n\nNever.\n', 'Bob Builder <bob@forge.test>'),
			replyMail(33, 20, 'All of it looks good.\n', 'Eve <eve@forge.test>'),
			replyMail(34, 20, '> Folds nest as deep as you like\n\nHow deep is it?\n', 'Eve <eve@forge.test>'),
			replyMail(35, 21, '> Folds were a list.\n\nSince when?\n'),
		);
		const rows = await below();
		const comments = rows.at(-1);
		assert.deepEqual(
			[titleIn(comments?.item.label), comments?.item.description, comments?.subject],
			['Comments', '7 comments · 3 unanswered questions', 'the patchset'],
		);
		const lines = await told(await comments?.children?.(never));
		assert.deepEqual(
			lines.map((line) => line.replace(/ · [^·]*(?:ago|now|\d+ ?\w+\.?)$/, '')),
			[
				'Series and cover letter | 2 comments · 1 unanswered question',
				'  All of it looks good. | Eve',
				'  How deep is it? | Eve · On the cover letter',
				'1/4 fold: find in a tree | 5 comments · 2 unanswered questions',
				'  Since when? | Dora Reviewer · On the commit message',
				'  Why not keep it? | Dora Reviewer · fold.c:41',
				'  Nice. | Dora Reviewer · fold.c:42',
				'    May be NULL. | Dora Reviewer · fold.c:42',
				'    Never. | Bob Builder · fold.c:42',
			],
		);
	});

	test('announce a question, and have their message and comment as the subject', async () => {
		const { below } = await rowsOf(replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n'));
		const comments = (await below()).at(-1);
		const [patch] = await rowsBelow(comments);
		const [question, nice] = await rowsBelow(patch);
		assert.ok(question && nice);
		assert.match(spoken(question), /^Unanswered question, Why not keep it\?, by Dora Reviewer, fold\.c:41, /);
		assert.doesNotMatch(spoken(nice), /question/);
		const subject = commentSubject(question);
		assert.ok(subject);
		assert.deepEqual([subject.id, subject.comment, subject.patchsetId, subject.kind], [31, 0, 2, 'mail']);
		assert.equal(question.item.command?.command, 'forge.comments.open');
		assert.equal(commentSubject({ ...subject, comment: undefined }), undefined);
	});

	test('update their age, with and without replies', async () => {
		const { below, clock } = await rowsOf(
			replyMail(31, 21, '> -\treturn list[at];\n\nWhy not keep it?\n'),
			replyMail(32, 31, '> Why not keep it?\n\nIt leaks.\n', 'Bob Builder <bob@forge.test>'),
		);
		const [patch] = await rowsBelow((await below()).at(-1));
		const [question] = await rowsBelow(patch);
		const [reply] = await rowsBelow(question);
		assert.ok(question && reply);
		const rows = [question, reply];
		const agesOf = () => rows.map(({ item }) => [String(item.description).split(' · ').at(-1), spoken({ item })]);
		const before = agesOf();
		clock.advance(40 * 86_400_000);
		for (const [at, [age, aloud]] of agesOf().entries()) {
			assert.notEqual(age, before[at]?.[0]);
			assert.notEqual(aloud, before[at]?.[1]);
		}
		assert.ok(
			rows.every(({ agedMs }) => agedMs !== undefined),
			'the view draws them again as time goes on',
		);
	});

	test('don’t exist before the messages have loaded or without replies', async () => {
		const { api, world, ref } = patchsetWorld();
		const connection = listConnection(api);
		world.mails.splice(world.mails.findIndex(({ id }) => id === 30));
		const parts = listsParts(fakeConnections(connection));
		const labels = async (): Promise<readonly unknown[]> =>
			(await patchsetMailRows(parts, top, connection, ref, never)).map(({ item }) => titleIn(item.label));
		assert.equal((await labels()).includes('Comments'), false);
		await connection.reviews.read(ref, never);
		assert.equal((await labels()).includes('Comments'), false);
	});

	test('show each comment of the corpus once', async () => {
		const { connection, ref } = await rowsOf();
		for (const { name, series, mails } of await replyCorpus()) {
			const comments = runAtOnce(reviewComments(mails, series));
			const review = { series, threads: reviewThreads(comments, series), open: openQuestions(comments) };
			const rows = commentsRow({ connection, ref, review, clock: fakeClock() }, top);
			const found: string[] = [];
			const ids = new Set<string>();
			const look = async (row: TreeNode): Promise<void> => {
				const subject = commentSubject(row);
				assert.ok(!ids.has(row.id), row.id);
				ids.add(row.id);
				found.push(...(subject ? [`${subject.id} ${subject.comment}`] : []));
				await Promise.all(((await row.children?.(never)) ?? []).map(look));
			};
			await Promise.all(rows.map(look));
			assert.deepEqual(found.toSorted(), comments.map(({ mail, index }) => `${mail.id} ${index}`).toSorted(), name);
		}
	});
});
