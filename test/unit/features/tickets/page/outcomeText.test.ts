import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';

const { sendAnswer } = await import('../../../../../src/features/tickets/page/outcomeText.ts');

const wish = { comment: 'Text', move: { kind: 'reopen' } } as const;

suite('outcome text of a write', () => {
	test('is empty when the response matches the request', () => {
		assert.deepEqual(sendAnswer({ kind: 'done', deviations: [] }, wish), {
			kind: 'done',
			text: '',
			isCommentThere: true,
		});
	});

	test('names each difference in the response', () => {
		const unlike = [
			{ kind: 'status', wanted: 'in_progress', got: 'resolved' },
			{ kind: 'labelMissing', name: 'bug' },
		] as const;
		assert.deepEqual(
			sendAnswer({ kind: 'done', deviations: unlike }, { ...wish, labels: { add: ['bug'], remove: [] } }),
			{
				kind: 'done',
				text: 'The forge set the status Resolved instead of In progress. The forge did not add the label bug.',
				isCommentThere: true,
			},
		);
	});

	test('keeps the draft until the forge has its text', () => {
		assert.equal(sendAnswer({ kind: 'done', deviations: [{ kind: 'comment' }] }, wish).isCommentThere, false);
		assert.equal(sendAnswer({ kind: 'arrived' }, wish).isCommentThere, true);
		assert.equal(sendAnswer({ kind: 'missing', left: wish }, wish).isCommentThere, false);
		assert.equal(sendAnswer({ kind: 'missing', left: { move: wish.move } }, wish).isCommentThere, true);
		assert.equal(sendAnswer({ kind: 'unclear' }, wish).isCommentThere, false);
	});

	test('escapes hidden characters in labels', () => {
		const unlike = [{ kind: 'labelLeft', name: 'a\u202Eb' }] as const;
		const { text } = sendAnswer({ kind: 'done', deviations: unlike }, { labels: { add: [], remove: ['a\u202Eb'] } });
		assert.equal(text, 'The forge did not remove the label a⟨U+202E⟩b.');
	});

	test('warns when a write with a lost response removed another user’s label', () => {
		const unlike = [{ kind: 'labelMissing', name: 'docs' }] as const;
		const answer = sendAnswer({ kind: 'arrived', deviations: unlike }, { labels: { add: ['bug'], remove: [] } });
		assert.equal(answer.kind, 'done');
		assert.match(
			answer.text,
			/^The response was lost, .* The label docs, which someone added at the same time, was lost/,
		);
	});

	test('says that the page keeps a comment missing from the response', () => {
		const unlike = [{ kind: 'status', wanted: 'reported', got: 'resolved' }, { kind: 'comment' }] as const;
		const { text } = sendAnswer({ kind: 'done', deviations: unlike }, wish);
		assert.match(text, /^The forge set the status .* It is kept here\.$/);
	});
});
