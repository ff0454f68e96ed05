import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { LineThread } from '../../../../../src/features/review/comments/documentThreads.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { sideBySide } from '../../../../support/sideBySide.ts';
import { steppingClock } from '../../../../support/steppingClock.ts';
import { openDocument, resetStub, stubbedThreads } from '../../../../support/vscodeValues.ts';

const vscode = await import('vscode');
const { commentThreads } = await import('../../../../../src/features/review/comments/commentThreads.ts');
const { documentThreads, completeAtOnce } =
	await import('../../../../../src/features/review/comments/documentThreads.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { patchFiles } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');
const { reviewSubject } = await import('../../../../../src/store/drafts/reviewDrafts.ts');

const list = { owner: '~alice', name: 'devel' };
const count = 95;
const maker = () => vscode.comments.createCommentController('replies', 'Replies');
const draftOn = (line: number) => ({
	id: `draft ${line}`,
	text: `Is line ${line} used?`,
	suggestion: undefined,
	place: { kind: 'lines', messageId: '<m21@forge.test>', file: 0, side: 'new', firstLine: line, line } as const,
});
const unfoldedLines = (): readonly number[] =>
	[...stubbedThreads]
		.flatMap(({ collapsibleState, range }) => (collapsibleState === 1 ? range.startLine : []))
		.toSorted((one, other) => one - other);
const from0 = (end: number): readonly number[] => Array.from({ length: end }, (_, line) => line);

suite('a document with many threads', () => {
	setup(resetStub);

	function threads() {
		const made = documentThreads(patchUri(placeOf('alice'), 'a.c'), maker, () => undefined);
		// The last line first.
		for (const line of from0(count).toReversed()) {
			const each: LineThread = {
				key: `key ${line}`,
				line,
				replies: undefined,
				drafts: [draftOn(line)],
				questions: new Set(),
			};
			made.put(each);
		}
		made.completeNext(completeAtOnce);
		return made;
	}

	test('unfolds the rest in slices from the top', () => {
		const made = threads();
		assert.equal(stubbedThreads.size, count);
		assert.deepEqual(unfoldedLines(), from0(completeAtOnce));
		assert.equal(made.completeNext(20), true);
		assert.deepEqual(unfoldedLines(), from0(completeAtOnce + 20));
		made.keepOnly(new Set(from0(60).map((line) => `key ${line}`)));
		while (made.completeNext(20)) {
			assert.ok(unfoldedLines().length <= 60);
		}
		assert.deepEqual(unfoldedLines(), from0(60));
	});

	test('unfolds all threads above the one that is shown, which would push it down later', () => {
		const made = threads();
		assert.equal(made.unfold('key 70'), true);
		assert.deepEqual(unfoldedLines(), from0(71));
		assert.equal(made.unfold('key 3'), true);
		assert.deepEqual(unfoldedLines(), from0(71));
		assert.equal(made.unfold('elsewhere'), false);
	});

	test('has all threads when it answers the editor, and unfolds all of them after that', async () => {
		sideBySide();
		const connection = listConnection(patchsetWorld().api);
		const clock = steppingClock(() => 0);
		const parts = listsParts(fakeConnections(connection), clock);
		for (const draft of from0(count).map((line) => draftOn(line + 5000))) {
			const part = { kind: 'comment', id: draft.id, place: draft.place } as const;
			void parts.drafts.keep(reviewSubject({ connectionKey: connection.key, ref: { list, id: 2 } }, part), {
				text: draft.text,
				atMs: 1,
			});
		}
		const shown = commentThreads(parts, patchFiles(parts), undefined, () => false, maker);
		const uri = patchUri(placeOf(connection.key), 'src/fold.c');
		openDocument({ uri });
		const answer = shown.ranges(uri, 10);
		await eventually(async () => stubbedThreads.size, count + 1);
		await clock.pass(200);
		await answer;
		// And the reply of the patchset, which needs no answer.
		assert.equal(stubbedThreads.size, count + 1);
		assert.ok(unfoldedLines().length < count, String(unfoldedLines().length));
		await clock.pass(10_000);
		assert.equal(unfoldedLines().length, count);
		assert.ok([...stubbedThreads].every(({ canReply }) => canReply));
		shown.dispose();
	});
});

function placeOf(connectionKey: string) {
	return { connectionKey, list, patchsetId: 2, mailId: 21, view: { kind: 'after', fileIndex: 0 } } as const;
}
