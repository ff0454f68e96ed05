import assert from 'node:assert/strict';
import type { Email } from 'sourcehut/port/list.ts';
import { findMail } from '../../../../src/store/lists/findMail.ts';
import { keptMails, type KeptMails } from '../../../../src/store/lists/keptMails.ts';
import { ListStore } from '../../../../src/store/lists/listStore.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeLists } from '../../../support/fakeLists.ts';
import { makeList, makeMail } from '../../../support/makeMail.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';
import { journalInMemory } from '../../../support/journalInMemory.ts';

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };
const users = { owner: '~alice', name: 'users' };

interface Window {
	readonly calls: readonly string[];
	readonly lists: ListStore;
	readonly find: (
		messageId: string,
		place?: { readonly list?: typeof devel; readonly thread?: string },
	) => Promise<number | undefined>;
}

/** A window at a forge with these messages. */
function window(mails: readonly Email[], disk?: KeptMails): Window {
	const { api, world } = fakeLists();
	world.mails.push(...mails);
	const lists = new ListStore({ journal: journalInMemory(), api, me: '~alice', followed: keptNames(), disk });
	return {
		calls: world.calls,
		lists,
		async find(messageId, { list = devel, thread } = {}) {
			const place = { messageId, list, ...(thread === undefined ? {} : { thread }) };
			const found = await findMail(lists, place, never);
			return found?.mail.id;
		},
	};
}

const first = makeMail({ id: 10 });
const reply = makeMail({ id: 11, parentId: 10, threadId: 10 });
const slashed = makeMail({ id: 12, parentId: 10, threadId: 10, messageId: '<a/b@forge.test>' });

suite('lookup by Message-ID', () => {
	for (const { id, messageId } of [first, reply, slashed]) {
		test(`finds ${messageId} in a loaded thread without a request`, async () => {
			const { lists, calls, find } = window([first, reply, slashed]);
			await lists.thread(devel, 10, never);
			assert.deepEqual([await find(messageId), calls], [id, ['thread 10']]);
		});

		test(`remembers ${messageId} from its thread, without a request in another window`, async () => {
			const disk = keptMails(textsInMemory(), fakeClock());
			const thread = first.messageId;
			assert.equal(await window([first, reply, slashed], disk).find(messageId, { thread }), id);
			const { calls, find } = window([], disk);
			assert.deepEqual([await find(messageId, { thread }), calls], [id, []]);
		});
	}

	test('ignores the same id in another list', async () => {
		const other = { ...first, id: 20, list: makeList({ name: 'users' }) };
		const { lists, calls, find } = window([{ ...first, list: makeList() }, other]);
		await lists.thread(users, 20, never);
		assert.equal(await find(first.messageId), 10);
		assert.deepEqual(calls, ['thread 20', 'thread <m10@forge.test>']);
		assert.equal(await find(first.messageId, { list: users }), 20);
		assert.equal(calls.length, 2);
	});
});
