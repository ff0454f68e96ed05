import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { eventually } from '../../../support/eventually.ts';
import { inboxReasons, type InboxEntry } from '../../../../src/store/inbox/inboxEntry.ts';
import { inboxWorld, type InboxWorld } from './support/inboxWorld.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { inboxNotices } = await import('../../../../src/features/inbox/inboxNotices.ts');

/** A window opened at noon, the time of the first entries. */
function noticed(...names: readonly string[]): InboxWorld {
	const world = inboxWorld(...names);
	inboxNotices(world.parts);
	world.set({ notify: inboxReasons });
	return world;
}

const oneText = 'Ticket 7: ~bob commented: Text a';

suite('inbox notifications', () => {
	setup(() => resetStub());

	test('appear only for reasons enabled in the settings', () => {
		const { arrive, set, clock } = noticed();
		set({ notify: [] });
		arrive([makeEntry('a', 0)]);
		clock.advance(60_000);
		set({ notify: ['mentioned'] });
		arrive([makeEntry('b', 1), makeEntry('c', 1, { reason: 'mentioned' })]);
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, ['Ticket 7: ~bob commented: Text c']);
	});

	test('combine entries that arrive together, after a pause', () => {
		const { arrive, clock } = noticed('~alice', '~bob');
		arrive([makeEntry('a', 0)]);
		clock.advance(1500);
		arrive([makeEntry('b', 0), makeEntry('c', 0)], 1);
		clock.advance(1500);
		assert.deepEqual(stubbed.shown, []);
		clock.advance(500);
		assert.deepEqual([stubbed.shown, stubbed.buttons], [['3 new entries in your inbox'], [['Show']]]);
	});

	test('appear after a maximum delay even if entries keep arriving', () => {
		const { arrive, clock } = noticed();
		for (let at = 0; at < 20; at += 1) {
			arrive([makeEntry(`e${at}`, 0)]);
			clock.advance(1000);
		}
		assert.equal(stubbed.shown.length, 1);
	});

	test('name the thing and the event, and offer Open and Mute', async () => {
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

	test('open the inbox if they cover several entries', async () => {
		const { arrive, clock } = noticed();
		stubbed.answers.push('Show');
		arrive([makeEntry('a', 0), makeEntry('b', 0)]);
		clock.advance(2000);
		await eventually(async () => stubbed.executed, ['forge.inbox.focus']);
	});

	test('skip entries from before the window opened, read entries and muted entries', () => {
		const { arrive, clock, connections } = noticed();
		const inbox = connections.all()[0]?.inbox;
		inbox?.choose('ticket ~alice/alpha#8', 'nothing');
		arrive([makeEntry('old', -1), makeEntry('muted', 1, { ticket: 8 }), makeEntry('read', 1)]);
		inbox?.setState(['read'], 'read');
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, []);
	});

	test('skip entries of unknown time from the first load', () => {
		const { clock, connections } = noticed();
		const inbox = connections.all()[0]?.inbox;
		inbox?.add({ entries: [makeEntry('pushed at night', 1)], positions: new Map(), isPerhapsOld: true });
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, []);
		inbox?.add({ entries: [makeEntry('pushed now', 1)], positions: new Map(), isPerhapsOld: false });
		clock.advance(60_000);
		assert.equal(stubbed.shown.length, 1);
	});

	test('skip entries of an account that has signed out', () => {
		const { arrive, clock, connections } = noticed();
		arrive([makeEntry('a', 0)]);
		connections.replace();
		clock.advance(60_000);
		assert.deepEqual(stubbed.shown, []);
	});

	test('don’t render links from titles', () => {
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
