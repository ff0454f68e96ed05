import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeComment, makeParticipant } from '../../../../support/makeTicket.ts';

const { editPlace } = await import('../../../../../src/features/tickets/page/commentEditing.ts');

const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };

suite('place to edit a comment', () => {
	const { api } = fakeTrackers();
	const own = makeComment('Mine', { submitter: makeParticipant('alice') });

	test('is the page for the user’s own comment, or the web when the API cannot edit', () => {
		const able = { ...api, editComment: () => assert.fail('Nothing is edited yet') };
		assert.deepEqual(editPlace(fakeConnection(able), ref, own), { kind: 'here' });
		assert.equal(editPlace(fakeConnection(api), ref, own)?.kind, 'web');
	});

	test('does not exist when the forge has no comment ids', () => {
		const able = { ...api, editComment: () => assert.fail('Nothing is edited yet') };
		assert.equal(editPlace(fakeConnection(able), ref, { ...own, id: undefined }), undefined);
	});

	test('does not exist for comments of others, whatever their kind', () => {
		const email = { kind: 'email', address: 'alice@example.test', name: '~alice' } as const;
		for (const submitter of [makeParticipant('bob'), email]) {
			assert.equal(editPlace(fakeConnection(api), ref, makeComment('Theirs', { submitter })), undefined);
		}
		assert.equal(editPlace(fakeConnection(api, '~bob'), ref, own), undefined);
	});
});
