import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressDigest } from 'hardened-git/keptHistories.ts';
import { gitHistories } from '../../../../src/app/machine/gitHistories.ts';
import { addressesInReach } from '../../../../src/features/repositories/clones/cloneAddresses.ts';
import { shortHash } from '../../../../src/machine/storage/objectFiles.ts';
import type { HistoryOfGit } from '../../../../src/store/wholeFiles/gitSearch.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeInstance } from '../../../support/makeSession.ts';
import { testMachine, type TestMachine } from '../../../support/localMachine.ts';

const never = new AbortController().signal;
const ref = { owner: '~alice', name: 'quill' };
const question = { paths: ['a'], sinceMs: 0, reach: 'near' } as const;
const instance = makeInstance();

suite('fetched histories of an account', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let isTrusted: boolean;
	const clock = fakeClock();

	setup(() => {
		isTrusted = false;
		machine = testMachine({ isTrusted: () => isTrusted });
		root = join(machine.folder, 'histories');
	});
	teardown(() => machine.remove());

	function history(tempFolder = machine.folder): HistoryOfGit {
		const found = gitHistories({ git: machine.git, tempFolder }, root, clock).of('account', { instance, ref });
		assert.ok(found);
		return found;
	}

	test('are unavailable where no git may run', async () => {
		assert.deepEqual(await history().versions(question, never), { kind: 'unavailable' });
		assert.deepEqual(await history().contents(['1'.repeat(40)], never), new Map());
	});

	test('are a failure, not an error, on a disk that cannot be written', async () => {
		writeFileSync(root, 'a file in place of the folder');
		const found = await history().versions(question, never);
		assert.equal(found.kind, 'failed');
		assert.deepEqual(await history(root).contents(['1'.repeat(40)], never), new Map());
	});

	test('are too large after a fetch beyond the limit', async () => {
		const [{ address } = { address: '' }] = addressesInReach(instance, ref);
		mkdirSync(join(root, shortHash('account'), `${addressDigest(address)}.${clock.nowMs()}.large`), {
			recursive: true,
		});
		assert.deepEqual(await history().versions(question, never), { kind: 'tooLarge' });
	});

	test('go with the account', async () => {
		const histories = gitHistories({ git: machine.git, tempFolder: machine.folder }, root, clock);
		['one', 'two', 'three'].forEach((key) => mkdirSync(join(root, shortHash(key)), { recursive: true }));
		await histories.forget('one');
		await histories.keepOnly(['two']);
		assert.deepEqual(readdirSync(root), [shortHash('two')]);
	});

	test('reject when aborted', async () => {
		isTrusted = true;
		for (const read of [
			history().versions(question, AbortSignal.abort()),
			history().contents(['1'.repeat(40)], AbortSignal.abort()),
		]) {
			await assert.rejects(read, { name: 'AbortError' });
		}
	});
});
