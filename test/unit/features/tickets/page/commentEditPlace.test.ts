import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { fakeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeComment, makeParticipant } from '../../../../support/makeTicket.ts';

const { editPlace } = await import('../../../../../src/features/tickets/page/commentEditing.ts');

const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };

suite('where a comment is edited', () => {
	const { api } = fakeTrackers();
	const own = makeComment('Mine', { submitter: makeParticipant('alice') });

	test("one's own here, or on the web where the forge has no way to do it", () => {
		const able = { ...api, editComment: () => assert.fail('Nothing is edited yet') };
		assert.deepEqual(editPlace(fakeConnection(able), ref, own), { kind: 'here' });
		assert.equal(editPlace(fakeConnection(api), ref, own)?.kind, 'web');
	});

	test('nowhere where the forge gives comments no ids', () => {
		const able = { ...api, editComment: () => assert.fail('Nothing is edited yet') };
		assert.equal(editPlace(fakeConnection(able), ref, { ...own, id: undefined }), undefined);
	});

	test('those of others nowhere, of whatever kind they are', () => {
		const email = { kind: 'email', address: 'alice@example.test', name: '~alice' } as const;
		for (const submitter of [makeParticipant('bob'), email]) {
			assert.equal(editPlace(fakeConnection(api), ref, makeComment('Theirs', { submitter })), undefined);
		}
		assert.equal(editPlace(fakeConnection(api, '~bob'), ref, own), undefined);
	});
});
