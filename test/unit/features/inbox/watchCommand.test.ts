import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { WatchWord } from '../../../../src/store/inbox/inboxBook.ts';
import type { Watched, WatchedPlace } from '../../../../src/store/inbox/watched.ts';
import type { InboxContext } from '../../../../src/features/inbox/inboxContext.ts';
import { fake } from '../../../support/fake.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnections, keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { standFor } from '../../../support/standFor.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import type { Connection } from '../../../../src/store/connection.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { watchCommand } = await import('../../../../src/features/inbox/watchCommand.ts');

const never = new AbortController().signal;
const connectionKey = 'sample-alice';
const place: WatchedPlace = { kind: 'tracker', ref: { owner: '~bob', name: 'Beta' } };
const ticket: Watched = { kind: 'ticket', ref: { tracker: place.ref, id: 7 } };
const repository: WatchedPlace = { kind: 'repository', ref: { owner: '~bob', name: 'quill' } };

/** An account that follows a repository and a list, and named rows with their watched things. */
function watching({ inFront }: { readonly inFront?: Watched } = {}) {
	const connection: Connection = {
		...listConnection(fakeLists().api, '~alice', keptNames('~bob/talk')),
		repositories: standFor<Connection['repositories']>({ followed: { all: () => [repository.ref] } }),
	};
	const { key: connectionKey } = connection;
	const rows = new Map<unknown, Watched>([
		['tracker row', place],
		['ticket row', ticket],
		['repository row', repository],
		...(inFront ? [['page' as unknown, inFront] as const] : []),
	]);
	const run = watchCommand(
		fake<InboxContext>({
			connections: fakeConnections(connection),
			watchedOf: (subject) => {
				const watched = rows.get(subject);
				return watched && { connectionKey, watched };
			},
			pageInFront: () => 'page',
		}),
	);
	return {
		inbox: connection.inbox,
		run: (...given: readonly unknown[]) => run(given[0], never, given),
	};
}

/** The choices of the last question: label, description and detail. */
function offered(): readonly string[] {
	return stubbed.offered.map(({ label, description, detail }) =>
		[label, description, detail].filter(Boolean).join(' | '),
	);
}

const concerns = 'Mentions, assignments, replies to you, and threads and tickets that you participate in';
const all = 'All that happens, also where you do not follow it';

suite('Forge: Watch…', () => {
	setup(() => resetStub());

	test('asks for the events of a row, and marks the current and the default choice', async () => {
		const { run, inbox } = watching();
		stubbed.answers.push('Everything');
		await run('tracker row');
		assert.deepEqual(stubbed.asked, ['Choose what of "~bob/Beta" comes to your inbox']);
		assert.deepEqual(offered(), [
			`Everything | ${all}`,
			`Participating and mentions | ${concerns}`,
			'Nothing | Muted',
			'Default | current | Muted',
		]);
		assert.deepEqual(
			inbox.choices().map(({ name, watching: word }) => `${name}: ${word}`),
			['tracker ~bob/Beta: everything'],
		);
		stubbed.answers.push('Nothing');
		await run('ticket row');
		assert.equal(offered().at(-1), 'Default | current | Watching everything');
		stubbed.answers.push('Default');
		await run('ticket row');
		assert.equal(offered()[2], 'Nothing | current | Muted');
		assert.equal(inbox.choice('ticket ~bob/beta#7'), 'usual');
	});

	test('offers only Everything and Nothing for a repository', async () => {
		const { run, inbox } = watching();
		stubbed.answers.push('Nothing');
		await run('repository row');
		assert.deepEqual(offered(), [`Everything | ${all}`, 'Nothing | Muted', 'Default | current | Watching everything']);
		assert.equal(inbox.choice('repository ~bob/quill'), 'nothing');
	});

	test('changes all selected rows', async () => {
		const { run, inbox } = watching();
		stubbed.answers.push('Participating and mentions');
		await run('tracker row', 'repository row');
		assert.deepEqual(stubbed.asked, ['Choose what comes to your inbox from 2 items']);
		assert.equal(offered().at(-1), 'Default | current | Differs between the selected items');
		const words: readonly WatchWord[] = [inbox.choice('tracker ~bob/beta'), inbox.choice('repository ~bob/quill')];
		assert.deepEqual(words, ['concerns', 'concerns']);
	});

	test('uses the active page without a row, and asks for a thing without a page', async () => {
		const page = watching({ inFront: ticket });
		stubbed.answers.push('Everything');
		await page.run();
		assert.equal(page.inbox.choice('ticket ~bob/beta#7'), 'everything');
		resetStub();
		const { run, inbox } = watching();
		inbox.add({ entries: [makeEntry('a', 0)], positions: new Map() });
		stubbed.answers.push('~bob/talk', 'Everything');
		await run();
		assert.equal(stubbed.asked[0], 'Choose what to watch');
		assert.equal(inbox.choice('list ~bob/talk'), 'everything');
	});

	test('applies to the thing of an inbox row', async () => {
		const { run, inbox } = watching();
		inbox.add({ entries: [makeEntry('a', 0)], positions: new Map() });
		stubbed.answers.push('Everything');
		await run({ kind: 'inboxEntry', connectionKey, id: 'a' });
		assert.equal(inbox.choice('ticket ~alice/alpha#7'), 'everything');
	});

	test('changes nothing when the user cancels or the account is gone', async () => {
		const { run, inbox } = watching();
		stubbed.answers.push(undefined);
		await assert.rejects(run('tracker row'));
		assert.deepEqual(inbox.choices(), []);
		await assert.rejects(run({ kind: 'inboxThing', connectionKey: 'gone', thing: 'x' }), isForgeError);
	});
});
