import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Archives } from 'public-inbox/port/archiveForge.ts';
import type { LeftOutMail } from 'public-inbox/local/epochClone.ts';
import type { HeldList } from 'public-inbox/local/heldLists.ts';
import { fake } from '../../../support/fake.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { mailboxCommands } = await import('../../../../src/features/archives/mailboxCommands.ts');

suite('keeping a list', () => {
	setup(resetStub);

	async function kept(leftOut: readonly LeftOutMail[]): Promise<readonly string[]> {
		const connection = fakeConnection(fakeTrackers().api);
		Object.assign(connection, { instance: { ...connection.instance, archiveUrl: 'https://lore.test/' } });
		const held = fake<Archives['held']>({ at: async () => fake<HeldList>({ leftOut: async () => leftOut }) });
		const archives = fake<Archives>({ held, keep: async () => undefined });
		const commands = mailboxCommands({
			archives: { open: async () => archives, look: async () => undefined, mailboxKey: 'mailboxes' },
			live: Object.assign(fakeConnections(connection), { ready: Promise.resolve() }),
		});
		const subject = { connectionKey: connection.key, ref: { owner: 'lore.test', name: 'lantern' } };
		await commands['forge.archives.keep'](subject, new AbortController().signal);
		return stubbed.shown;
	}

	test('names messages that are too large, the newest ones, in visible letters', async () => {
		assert.deepEqual(await kept([]), ['lantern can be read offline']);
		const many = ['a', 'b', 'c\u202e', 'd'].map((subject) => ({ id: subject, subject }));
		const shown = await kept(many);
		assert.match(
			shown.at(-1) ?? '',
			/^lantern .*left out: 4 in all, such as "b", "c⟨U\+202E⟩", "d"\. Open these on the web\.$/,
		);
	});
});
