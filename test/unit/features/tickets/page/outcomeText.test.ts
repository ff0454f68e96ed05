import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';

const { sendAnswer } = await import('../../../../../src/features/tickets/page/outcomeText.ts');

const wish = { comment: 'Text', move: { kind: 'reopen' } } as const;

suite('how a write ended, in words', () => {
	test('an answer that shows everything says nothing', () => {
		assert.deepEqual(sendAnswer({ kind: 'done', deviations: [] }, wish), {
			kind: 'done',
			text: '',
			isCommentThere: true,
		});
	});

	test('what the answer shows otherwise is named', () => {
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

	test('the draft goes only when the forge has its text', () => {
		assert.equal(sendAnswer({ kind: 'done', deviations: [{ kind: 'comment' }] }, wish).isCommentThere, false);
		assert.equal(sendAnswer({ kind: 'arrived' }, wish).isCommentThere, true);
		assert.equal(sendAnswer({ kind: 'missing', left: wish }, wish).isCommentThere, false);
		assert.equal(sendAnswer({ kind: 'missing', left: { move: wish.move } }, wish).isCommentThere, true);
		assert.equal(sendAnswer({ kind: 'unclear' }, wish).isCommentThere, false);
	});

	test('hidden characters of labels are written out', () => {
		const unlike = [{ kind: 'labelLeft', name: 'a\u202Eb' }] as const;
		const { text } = sendAnswer({ kind: 'done', deviations: unlike }, { labels: { add: [], remove: ['a\u202Eb'] } });
		assert.equal(text, 'The forge did not remove the label a⟨U+202E⟩b.');
	});

	test('what a write whose answer was lost took from others is told as a warning', () => {
		const unlike = [{ kind: 'labelMissing', name: 'docs' }] as const;
		const answer = sendAnswer({ kind: 'arrived', deviations: unlike }, { labels: { add: ['bug'], remove: [] } });
		assert.equal(answer.kind, 'done');
		assert.match(
			answer.text,
			/^The response was lost, .* The label docs, which someone added at the same time, was lost/,
		);
	});

	test('a comment that the answer does not show is said to be kept', () => {
		const unlike = [{ kind: 'status', wanted: 'reported', got: 'resolved' }, { kind: 'comment' }] as const;
		const { text } = sendAnswer({ kind: 'done', deviations: unlike }, wish);
		assert.match(text, /^The forge set the status .* It is kept here\.$/);
	});
});
