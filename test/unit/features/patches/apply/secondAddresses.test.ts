import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecondAddress } from 'patchmail/series/seriesReading.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import type { PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import { fake } from '../../../../support/fake.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { fakeMailer } from '../../../../support/fakeMailer.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { noGit } from '../../../../support/noGit.ts';
import { standFor } from '../../../../support/standFor.ts';

const { withProvenAddresses } = await import('../../../../../src/features/patches/apply/secondAddresses.ts');

const never = new AbortController().signal;
const doubt = (sender: string, named: string): SecondAddress => ({
	sender: { name: 'Alice', address: sender },
	named: { name: 'Alice', address: named },
});
const own = doubt('Alice@home.test', 'alice@Work.test');
const others = [doubt('alice@home.test', 'eve@evil.test'), doubt('eve@evil.test', 'alice@work.test')];

suite('second addresses of the user', () => {
	/** Proven pairs, and failures in the log. */
	async function proven(
		doubts: readonly SecondAddress[],
		change: Partial<ListsContext> = {},
		root?: string,
	): Promise<readonly unknown[]> {
		const told: unknown[] = [];
		const connection = standFor<Connection>({
			me: '~alice',
			people: { ownAddress: () => 'alice@home.test' },
			reviews: {
				doubts: () => doubts,
				prove: (_: unknown, pairs: ReadonlySet<string>) => told.push(...pairs),
				known: () => undefined,
			},
		});
		const identity = async (): Promise<{ name: string; address: string }> => ({ name: '', address: 'alice@work.test' });
		const problems = { ...quietProblems, log: (error: unknown) => void told.push(error) };
		const parts = { ...listsParts(fakeConnections()), mailer: { ...fakeMailer(), identity }, problems, ...change };
		const review = fake<PatchsetReview>({});
		assert.equal(await withProvenAddresses(parts, connection, review, root, never), review);
		return told;
	}

	test('are one person if both are identities of the user, and no other pair is', async () => {
		assert.deepEqual(await proven([own, ...others]), ['alice@home.test alice@work.test']);
	});

	test('stay in doubt in an untrusted workspace, and git does not run', async () => {
		const trust = { isTrusted: () => false, onDidGrant: () => ({ dispose: () => undefined }) };
		assert.deepEqual(await proven([own], { trust, git: noGit().git }, '/clone'), []);
	});

	suite('and of others, in a clone with a mailmap', function () {
		this.timeout(60_000);
		let machine: TestMachine;
		let root: string;

		setup(() => {
			machine = testMachine();
			root = join(machine.folder, 'clone');
			machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'clone');
			writeFileSync(join(root, '.mailmap'), 'Rita <rita@work.test> <rita@home.test>\n');
			machine.commitAll(root, 'Begin');
		});
		teardown(() => machine.remove());

		const rita = doubt('rita@home.test', 'rita@work.test');
		const doubts = [rita, doubt('rita@home.test', 'eve@evil.test'), ...others];

		test('are one person if its HEAD says so', async () => {
			assert.deepEqual(await proven(doubts, { git: machine.git }, root), ['rita@home.test rita@work.test']);
			assert.deepEqual(await proven(doubts, { git: machine.git }), []);
		});

		test('stay in doubt while a series is applied there, which may have changed the mailmap', async () => {
			mkdirSync(join(root, '.git/rebase-apply'));
			writeFileSync(join(root, '.git/rebase-apply/applying'), '');
			assert.deepEqual(await proven(doubts, { git: machine.git }, root), []);
		});
	});

	test('stay in doubt if git fails, and the log has the reason', async () => {
		const failure = new GitFailure({ kind: 'tooSlow' });
		const git = { ...noGit().git, run: () => Promise.reject(failure) };
		assert.deepEqual(await proven([own], { git }, '/clone'), [failure]);
	});
});
