import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { makeTicket } from '../../../../support/makeTicket.ts';

const { changeOf, undoing } = await import('../../../../../src/features/tickets/triage/undo.ts');

suite('changed resolution', () => {
	test('is an action of its own, and undo restores the old one', () => {
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
		const subject = { kind: 'ticket', connectionKey: 'sample-alice', ref } as const;
		const wish = { move: { kind: 'resolve', resolution: 'wont_fix' } } as const;
		const before = makeTicket({ status: 'resolved', resolution: 'fixed' });
		const ticket = makeTicket({ status: 'resolved', resolution: 'wont_fix' });
		const outcome = { kind: 'done', ticket, before, deviations: [], wasLost: false } as const;
		const item = changeOf({ item: { subject, wish }, outcome });
		assert.ok(item);
		assert.deepEqual(undoing(item, ticket, { onlyResolvesAndReopens: false }), {
			kind: 'wish',
			wish: { move: { kind: 'resolve', resolution: 'fixed' } },
			notes: [],
		});
	});
});
