import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { MailingList } from 'sourcehut/port/list.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { fake } from '../../../../support/fake.ts';

const { addressOf } = await import('../../../../../src/features/lists/send/writer.ts');

const ref = { owner: 'https://lore.test/', name: 'devel' };
const never = new AbortController().signal;

suite('the address of a list', () => {
	/** An archive that states these addresses. */
	function archive(known: Partial<MailingList>, confirmed?: string): Connection {
		return fake<Connection>({
			instance: fake<Connection['instance']>({ archiveUrl: 'https://lore.test/' }),
			lists: fake<Connection['lists']>({
				collection: fake<Connection['lists']['collection']>({ known: () => undefined }),
				list: async () => fake<MailingList>(known),
			}),
			listChoices: fake<Connection['listChoices']>({ posting: () => confirmed }),
		});
	}

	test('is the first that an archive states, and the others are no recipients beside it', async () => {
		const known = { address: 'devel@lists.test', otherAddresses: ['devel@old.test'] };
		assert.deepEqual(await addressOf(archive(known), ref, [], never), {
			address: 'devel@lists.test',
			isSure: true,
			others: ['devel@lists.test', 'devel@old.test'],
		});
	});

	test('is the confirmed one, without a request', async () => {
		const { address, others } = (await addressOf(archive({}, 'own@lists.test'), ref, [], never)) ?? {};
		assert.deepEqual([address, others], ['own@lists.test', []]);
	});
});
