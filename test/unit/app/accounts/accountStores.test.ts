import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { outboxInMemory } from '../../../../src/store/outbox/outboxInMemory.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '@forge-desk/base/event.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { mailReader } from 'patchmail/mail/mailReader.ts';
import { textInMemory, type KeptText } from '../../../../src/store/shared/keptText.ts';
import { objectFolders } from '../../../../src/machine/storage/objectFolders.ts';
import { mailLimits, repositoryLimits, textFolders } from '../../../../src/machine/storage/textFolders.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';
import { fakeLists, listConnection } from '../../../support/fakeLists.ts';
import { heldLease } from '../../../support/heldLease.ts';
import { makeEntry } from '../../../support/makeInboxEntry.ts';
import { readerHere } from '../../../support/mailStores.ts';
import { quietLog } from '../../../support/quietLog.ts';
import { standFor } from '../../../support/standFor.ts';
import { resetStub } from '../../../support/vscodeValues.ts';
import { journalDisk } from '../../../support/journalInMemory.ts';

const { accountStores } = await import('../../../../src/app/accounts/accountStores.ts');
const { ticketAccounts } = await import('../../../../src/app/accounts/ticketAccounts.ts');

const vscode = await import('vscode');

const folder = join(tmpdir(), 'forge-desk-never-made');
const clock = fakeClock();

/** Reading webhooks fails the test. */
function wholeForge(): Forge {
	const { users, trackers, lists, repositories, me } = listConnection(fakeLists().api).forge;
	const webhooks = standFor<Forge['webhooks']>({});
	return { users, trackers, lists, repositories, webhooks, me };
}

interface Opened {
	readonly account: ReturnType<typeof accountStores>;
	/** The texts stored for all windows of the account. */
	readonly kept: readonly string[];
	/** Another window writes the inbox. */
	readonly writeElsewhere: (text: string) => Promise<void>;
	readonly dispose: () => void;
}

function open(instance: ForgeInstance): Opened {
	const kept: string[] = [];
	const texts = new Map<string, KeptText>();
	const textOf = (kind: string): KeptText => {
		const text = texts.get(kind) ?? textInMemory();
		texts.set(kind, text);
		return text;
	};
	const written = new Emitter<void>();
	const storage = { get: () => undefined, update: () => Promise.resolve() };
	const ticketsOf = ticketAccounts(folder, vscode, () => 0.5, clock, quietLog());
	const account = accountStores(
		{ key: 'alice.sample', instance, me: '~alice', forge: wholeForge() },
		{
			storage,
			followedLists: { all: () => [], keep: () => Promise.resolve() },
			windowStorage: storage,
			objects: objectFolders(folder, clock),
			mails: textFolders(folder, clock, mailLimits),
			repositoryTexts: textFolders(folder, clock, repositoryLimits),
			texts: {
				of: (kind, key) => ({
					read: () => textOf(kind).read(),
					async write(next) {
						kept.push(`${kind} of ${key}`);
						await textOf(kind).write(next);
					},
				}),
				watched: () => ({ onDidWrite: written.event, dispose: () => undefined }),
				journalOf: () => journalDisk().window(),
				forget: () => Promise.resolve(),
				keepOnly: () => Promise.resolve(),
			},
			windowName: 'w1',
			outboxOf: () => ({ ...outboxInMemory(), dispose: () => undefined }),
			explain: String,
			ticketsOf,
			net: { open: () => Promise.reject(new Error('nothing is asked for')) },
			mailReader: mailReader(readerHere),
			historyAt: () => undefined,
			clones: { contents: async () => new Map() },
			lease: heldLease,
			random: () => 0.5,
			computer: 'this',
			randomBytes: (size) => new Uint8Array(size),
			clock,
		},
	);
	return {
		account,
		kept,
		async writeElsewhere(next) {
			await textOf('inbox').write(next);
			written.fire();
		},
		dispose() {
			account.dispose();
			ticketsOf.dispose();
		},
	};
}

suite('stores of an account', () => {
	setup(() => resetStub());

	test('store the inbox for all windows, except for the sample forge, whose world ends with its process', () => {
		const keptBy = (instance: ForgeInstance): readonly string[] => {
			const { account, kept, dispose } = open(instance);
			account.inbox.add({ entries: [makeEntry('a', 0)], positions: new Map() });
			assert.equal(account.inbox.unreadCount(), 1);
			dispose();
			return kept;
		};
		assert.ok(keptBy({ ...sampleInstance, isSample: false }).includes('inbox of alice.sample'));
		assert.deepEqual(keptBy(sampleInstance), []);
	});

	test('show changes of the inbox from another window', async () => {
		const { account, writeElsewhere, dispose } = open({ ...sampleInstance, isSample: false });
		account.inbox.add({ entries: [makeEntry('a', 0)], positions: new Map() });
		const item = { entry: makeEntry('a', 0), state: 'read', stateMs: 5 };
		await writeElsewhere(JSON.stringify({ items: [item], positions: [], choices: [] }));
		assert.equal(account.inbox.unreadCount(), 0);
		dispose();
	});
});
