import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
const { suggestions } = await import('../../../../../src/features/tickets/page/suggestions.ts');
const { webPlaceLink } = await import('../../../../../src/features/tickets/subjects/webLink.ts');
import { fakeConnection, sampleInstance, type ForgeConnection } from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { makeLabel, makeParticipant, makeTicket, makeTracker, makeUser } from '../../../../support/makeTicket.ts';

const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
const signal = new AbortController().signal;

async function known(labels: readonly string[] = [], me = '~alice'): Promise<ForgeConnection> {
	const { world, api } = fakeTrackers();
	world.labels.set(
		'~alice/alpha',
		labels.map((name) => makeLabel(name)),
	);
	world.trackers.push(makeTracker());
	world.tickets.set('~alice/alpha', [
		makeTicket({ id: 12, assignees: [makeUser('carol')] }),
		makeTicket({ id: 3, title: 'Folded \u202Eheaders', submitter: makeParticipant('cath') }),
		makeTicket({ id: 2, title: 'Header colours', submitter: { kind: 'email', address: 'c@x.test', name: undefined } }),
	]);
	const connection = fakeConnection(api, me);
	await connection.tickets.tickets(ref.tracker, signal);
	return connection;
}

suite('suggestions while typing', () => {
	test('list people of the ticket before people of the tracker, and only those with an account', async () => {
		const found = suggestions(await known(), ref, { kind: 'person', text: 'c' });
		assert.deepEqual(
			found.map(({ insert }) => insert),
			['~carol', '~cath'],
		);
	});

	test('find tickets by number and title words, but never the open one', async () => {
		const connection = await known();
		assert.deepEqual(suggestions(connection, ref, { kind: 'ticket', text: 'head' }), [
			{ insert: '#3', detail: 'Folded ⟨U+202E⟩headers' },
			{ insert: '#2', detail: 'Header colours' },
		]);
		assert.deepEqual(
			suggestions(connection, ref, { kind: 'ticket', text: '2' }).map(({ insert }) => insert),
			['#2'],
		);
	});

	test('name another user’s ticket in full, since its number alone makes no mention', async () => {
		const found = suggestions(await known([], '~bob'), ref, { kind: 'ticket', text: '2' });
		assert.deepEqual(
			found.map(({ insert }) => insert),
			['~alice/alpha#2'],
		);
	});

	test('take labels from the cache, without a request', async () => {
		const connection = await known(['mail parser', 'parser', 'say "hi"', 'docs']);
		const names = (text: string): readonly string[] =>
			suggestions(connection, ref, { kind: 'label', text }).map(({ insert }) => insert);
		assert.deepEqual(names('par'), []);
		await connection.tickets.trackers.labels(ref.tracker, signal);
		Object.assign(connection.forge.trackers ?? {}, { labels: () => assert.fail('asked') });
		assert.deepEqual(names('PAR'), ['parser', '"mail parser"']);
		assert.deepEqual(names('say'), [String.raw`"say \"hi\""`]);
		assert.deepEqual(names(''), ['"mail parser"', 'parser', String.raw`"say \"hi\""`, 'docs']);
	});

	test('show known colors of a label, and never insert a deceptive name', async () => {
		const connection = await known(['docs', 'doc\u202Es', 'do\ncs']);
		await connection.tickets.trackers.labels(ref.tracker, signal);
		assert.deepEqual(suggestions(connection, ref, { kind: 'label', text: 'do' }), [
			{
				insert: 'docs',
				detail: '',
				label: { name: 'docs', colors: { background: '#cc0000', text: '#ffffff' } },
			},
		]);
	});
});

suite('web places of a ticket', () => {
	test('each action has its URL', () => {
		const base = 'https://todo.forge.test/~alice/alpha';
		assert.equal(webPlaceLink(sampleInstance, ref, 'ticket'), `${base}/12`);
		assert.equal(webPlaceLink(sampleInstance, ref, 'edit'), `${base}/12/edit`);
		assert.equal(webPlaceLink(sampleInstance, ref, 'delete'), `${base}/12/delete`);
		assert.equal(webPlaceLink(sampleInstance, ref, 'labels'), `${base}/labels`);
	});
});
