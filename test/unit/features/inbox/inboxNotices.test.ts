import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { eventually } from '../../../support/eventually.ts';
import { inboxReasons, type InboxEntry } from '../../../../src/store/inbox/inboxEntry.ts';
import { inboxWorld, type InboxWorld } from '../../../support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { inboxNotices } = await import('../../../../src/features/inbox/inboxNotices.ts');

/** A window that was opened at noon, which is when the first entries happen. */
function noticed(...names: readonly string[]): InboxWorld {
	const world = inboxWorld(...names);
	inboxNotices(world.parts);
	world.set({ notify: inboxReasons });
	return world;
}

const oneText = 'Ticket 7: ~bob commented: Text a';

suite('notices of what arrives in the inbox', () => {
	setup(() => resetStub());

	test('are shown for nothing, unless somebody wants them for its reason', () => {
		const { arrive, set, clock } = noticed();
		set({ notify: [] });
		arrive([makeEntry('a', 0)]);
		clock.advance(60_000);
		set({ notify: ['mentioned'] });
		arrive([makeEntry('b', 1), makeEntry('c', 1, { reason: 'mentioned' })]);
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, ['Ticket 7: ~bob commented: Text c']);
	});

	test('are one for what comes together, once nothing comes any more', () => {
		const { arrive, clock } = noticed('~alice', '~bob');
		arrive([makeEntry('a', 0)]);
		clock.advance(1500);
		arrive([makeEntry('b', 0), makeEntry('c', 0)], 1);
		clock.advance(1500);
		assert.deepEqual(stubbed.shown, []);
		clock.advance(500);
		assert.deepEqual([stubbed.shown, stubbed.buttons], [['3 new entries in your inbox'], [['Show']]]);
	});

	test('do not wait for ever', () => {
		const { arrive, clock } = noticed();
		for (let at = 0; at < 20; at += 1) {
			arrive([makeEntry(`e${at}`, 0)]);
			clock.advance(1000);
		}
		assert.equal(stubbed.shown.length, 1);
	});

	test('say what happened to what, and open it or mute it', async () => {
		const { arrive, clock } = noticed();
		stubbed.answers.push('Open');
		arrive([makeEntry('a', 0)]);
		clock.advance(2000);
		await eventually(async () => stubbed.executed, ['forge.inbox.open']);
		stubbed.answers.push('Mute');
		arrive([makeEntry('b', 1)]);
		clock.advance(2000);
		await eventually(async () => stubbed.executed, ['forge.inbox.open', 'forge.inbox.mute']);
		assert.deepEqual([stubbed.shown[0], stubbed.buttons[0]], [oneText, ['Open', 'Mute']]);
		assert.deepEqual(stubbed.passed, [
			{ kind: 'inboxEntry', connectionKey: 'sample-alice', id: 'a' },
			{ kind: 'inboxThing', connectionKey: 'sample-alice', thing: 'ticket ~alice/alpha#7' },
		]);
	});

	test('show the inbox where they are about several', async () => {
		const { arrive, clock } = noticed();
		stubbed.answers.push('Show');
		arrive([makeEntry('a', 0), makeEntry('b', 0)]);
		clock.advance(2000);
		await eventually(async () => stubbed.executed, ['forge.inbox.focus']);
	});

	test('tell nothing of before the window was opened, of what is read already, or of what is muted', () => {
		const { arrive, clock, connections } = noticed();
		const inbox = connections.all()[0]?.inbox;
		inbox?.choose('ticket ~alice/alpha#8', 'nothing');
		arrive([makeEntry('old', -1), makeEntry('muted', 1, { ticket: 8 }), makeEntry('read', 1)]);
		inbox?.setState(['read'], 'read');
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, []);
	});

	test('tell nothing of what the first reading finds where nobody says when it happened', () => {
		const { clock, connections } = noticed();
		const inbox = connections.all()[0]?.inbox;
		inbox?.add({ entries: [makeEntry('pushed at night', 1)], positions: new Map(), isPerhapsOld: true });
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, []);
		inbox?.add({ entries: [makeEntry('pushed now', 1)], positions: new Map(), isPerhapsOld: false });
		clock.advance(60_000);
		assert.equal(stubbed.shown.length, 1);
	});

	test('tell nothing for an account that has signed out meanwhile', () => {
		const { arrive, clock, connections } = noticed();
		arrive([makeEntry('a', 0)]);
		connections.replace();
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, []);
	});

	test('draw no link of a stranger', () => {
		const { arrive, clock } = noticed();
		const thing: InboxEntry['thing'] = {
			kind: 'ticket',
			ref: { tracker: { owner: '~alice', name: 'alpha' }, id: 7 },
			title: '[Click](command:evil)\u202E',
		};
		arrive([makeEntry('a', 0, { thing })]);
		clock.advance(2000);
		assert.equal(stubbed.shown[0], '[Click]\u2060(command:evil)⟨U+202E⟩: ~bob commented: Text a');
	});
});
